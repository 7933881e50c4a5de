"""Payloads as public clients write them, each with what it must become.

Written by hand after the clients' own serialisers; each case names the client and its version.
"""
