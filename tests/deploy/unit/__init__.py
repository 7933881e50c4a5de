"""Tables against rules, and the checks of Terraform where it is installed."""
