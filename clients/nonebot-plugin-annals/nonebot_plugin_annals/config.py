"""Settings, from NoneBot's `.env` files; none is needed."""

from pydantic import BaseModel


class Config(BaseModel):
    """Without an address and a key it is what the client finds: `ANNALS_URL` and `ANNALS_KEY` of
    the environment, its own file, or `make run` on this machine."""

    annals_url: str | None = None
    annals_key: str | None = None
    annals_queue: str | None = None
    """The file that keeps what is not sent yet; by default one in the user's folder for state."""
    annals_context_deadline: float | None = None
    """Seconds that a reply waits for its memory; 0.3 by default."""
    annals_max_tokens: int | None = None
    """Of a context; by default what the deployment allows."""
    annals_private_chats: bool = True
    """Whether private chats are remembered too, each for itself."""
