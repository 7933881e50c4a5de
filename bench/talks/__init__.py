"""Natural talk, written from life, with what is to be remembered.

The first half of the files is there to work on. The second half was run three times, and one rule
was made stricter between two of the runs: read it as held back, not as unseen.
"""
