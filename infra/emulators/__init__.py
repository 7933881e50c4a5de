"""Emulators that speak the wire protocols of the services Annals uses.

They import nothing from `functions` or `shared`: the product meets them only as endpoints.
"""
