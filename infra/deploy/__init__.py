"""`make plan`, `make deploy`, `make secrets`: one environment on one cloud, by Terraform."""
