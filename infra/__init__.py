"""What runs the functions: the local cloud and the deployments. Never imported by the product."""
