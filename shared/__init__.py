"""What the five functions share. Imports go down only: see the layers in pyproject.toml."""

import os

# Matrices here have a few hundred rows. A second BLAS thread gains nothing on them and spins while
# it waits: a context took twice the processor. It must be said before numpy loads; who sets it
# otherwise is obeyed.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
