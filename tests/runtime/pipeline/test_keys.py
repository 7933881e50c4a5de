"""Keys go with the key that made them."""

import pytest

from functions.historian_job import routes_keys
from shared.contracts.keys import NewKey
from shared.domain.key import ROOT, SCOPES
from shared.errors import Unauthenticated
from shared.runtime.auth import Caller
from shared.wiring import Services

ROOTED = Caller(ROOT, SCOPES, ("*",))
ASKED = NewKey(name="a bot", scopes=["manage", "read"], groups=["test:1"])


async def made_by(caller: Caller, deps: Services) -> Caller:
    _, key = await routes_keys.make_key(ASKED, caller, deps)
    return Caller(key.key_id, key.scopes, key.groups)


async def test_a_revoked_key_takes_with_it_what_was_made_with_it(made: Services) -> None:
    deps = made
    first, other = await made_by(ROOTED, deps), await made_by(ROOTED, deps)
    second = await made_by(first, deps)
    third = await made_by(second, deps)

    gone = await routes_keys.take_back(first.key_id, ROOTED, deps)

    assert {one.key_id for one in gone} == {first.key_id, second.key_id, third.key_id}
    for caller in (first, second, third):
        found = await made.keys.find(caller.key_id)
        assert found
        assert found.is_revoked
    kept = await made.keys.find(other.key_id)
    assert kept
    assert not kept.is_revoked
    assert kept.made_by == ROOT
    assert await routes_keys.take_back(first.key_id, ROOTED, deps) == gone


async def test_a_key_that_was_just_revoked_makes_no_other(made: Services) -> None:
    """Elsewhere it is still known for a minute."""
    deps = made
    caller = await made_by(ROOTED, deps)
    await routes_keys.take_back(caller.key_id, ROOTED, deps)

    with pytest.raises(Unauthenticated):
        await made_by(caller, deps)

    assert all(one.is_revoked for one in await made.keys.made_by(caller.key_id))
