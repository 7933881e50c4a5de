"""Natural talk, written from life before the rules were looked at, with what is to be remembered.

The first half of the files is there to work on; the second half was not run before the end.
"""
