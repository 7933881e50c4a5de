"""`python -m infra.check`: is everything there that a deployment needs, and does it work?"""
