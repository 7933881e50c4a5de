"""The QQ bot of the examples on NoneBot, a fake OneBot client, and a local cloud that is
killed and started again."""

import time
from pathlib import Path

import pytest

from infra.addresses import free_port
from tests.bots.onebot import BOT_NAME, onebot
from tests.bots.running import EXAMPLES, environment, model, running_bot
from tests.bots.scenario import Group, a_burst, a_recall, ten_turns, without_annals
from tests.local_cloud import ON_THE_FRAGILE_CLOUD, LocalCloud


@ON_THE_FRAGILE_CLOUD
@pytest.mark.timeout(600)
async def test_a_group_with_a_bot_that_remembers(fragile: LocalCloud, tmp_path: Path) -> None:
    group_id, port = int(time.time()), free_port()
    group = Group(fragile, group_id)
    group.know()
    (tmp_path / ".env").write_text("ANNALS_CONTEXT_DEADLINE=25\n")
    with model() as asked:
        variables = environment(tmp_path, fragile.told, OPENAI_BASE_URL=asked.url, PORT=str(port))
        with running_bot(EXAMPLES / "qq_bot.py", tmp_path, variables):
            async with onebot(f"ws://127.0.0.1:{port}/onebot/v11/ws", group_id) as client:
                await a_burst(client, group)
                own = await a_recall(client, group, asked)
                assert own["message_id"].startswith(f"{client.reply_ids[-1]}-")
                assert own["user_name"] == BOT_NAME
                assert f"@{BOT_NAME} and what is the code" in str(group.texts())
                assert (
                    str(asked.requests[-1]).count("what is the code of the rehearsal room now") == 1
                )
                await ten_turns(client, asked)
                await without_annals(client, group, fragile, asked)
