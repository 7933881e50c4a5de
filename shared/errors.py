"""Every error the product raises on purpose; a class's docstring is its default message.

AnnalsError
├── InvalidInput          the caller sent something wrong: nothing was changed
│   └── TooLarge          ... because it is bigger than allowed
├── Unauthenticated       nobody, or somebody unknown, is calling
├── Forbidden             a known caller asks for what is not theirs
├── NotFound              there is no such record (for this caller)
├── Conflict              the record is in another state than the request supposes
├── Transient             it failed now and may succeed later
│   ├── LostLease         another worker took over: this one must not commit
│   ├── EpochMoved        the group forgot something meanwhile: the plan is stale
│   ├── Postponed         no model answers now: the job waits, and the attempt does not count
│   │   └── OverBudget    models have had their share of the day: they are not asked before the next
│   └── Misconfigured     a setting is missing or bad; the message names it
├── BadReply              a model answered with something that cannot be used
├── Poisoned              some text among these makes our own code fail: fewer must be tried
├── JobFailed             work that the caller waited for failed for good; its job can be retried
└── Broken                what is stored, or asked of a store, is not as it must be: our own fault

Only `runtime/` knows which HTTP status each one becomes.
"""

from typing import Any


class AnnalsError(Exception):
    """Something went wrong."""

    code = "error"

    def __init__(self, message: str | None = None, **detail: Any) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.detail = detail
        super().__init__(self.message)


class InvalidInput(AnnalsError):
    """The request is not valid."""

    code = "invalid_input"


class TooLarge(InvalidInput):
    """The request is larger than allowed."""

    code = "too_large"


class Unauthenticated(AnnalsError):
    """The request carries no valid credentials."""

    code = "unauthenticated"


class Forbidden(AnnalsError):
    """The credentials do not allow this."""

    code = "forbidden"


class NotFound(AnnalsError):
    """There is no such record."""

    code = "not_found"


class Conflict(AnnalsError):
    """The record is not in a state that allows this."""

    code = "conflict"


class Transient(AnnalsError):
    """A service did not answer; try again."""

    code = "unavailable"


class LostLease(Transient):
    """Another worker holds the lease now; this one commits nothing."""

    code = "lost_lease"


class EpochMoved(Transient):
    """The group's data was erased meanwhile; the plan is thrown away."""

    code = "epoch_moved"


class Postponed(Transient):
    """No model answers now; the job waits for one."""

    code = "postponed"


class OverBudget(Postponed):
    """The day's budget of models is used up."""

    code = "over_budget"


class Misconfigured(Transient):
    """A setting is missing or bad."""

    code = "misconfigured"


class BadReply(AnnalsError):
    """The model's reply cannot be used."""

    code = "bad_reply"


class Poisoned(AnnalsError):
    """Some of these messages cannot be worked on."""

    code = "poisoned"


class JobFailed(AnnalsError):
    """The work failed; its job can be retried."""

    code = "failed"


class Broken(AnnalsError):
    """A stored record cannot be read."""

    code = "broken"
