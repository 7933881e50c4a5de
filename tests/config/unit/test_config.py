"""Settings: defaults, ranges, and what becomes of bad values."""

import re

import pytest
from pydantic import ValidationError

from shared.config import load, need, settings
from shared.config.deployment import FUNCTIONS
from shared.config.models import PROMPTS
from shared.config.settings import CATALOGUE, SECTIONS, Settings, read
from shared.errors import Misconfigured
from shared.platforms.registry import PLATFORMS
from tests.project import ROOT

GUARDED = {
    "ANNALS_TASK_AUTH",
    "ANNALS_TASK_AUDIENCE",
    "ANNALS_TASK_SERVICE_ACCOUNT",
    "ANNALS_HASH_KEY",
    *(name.upper() for one in PLATFORMS.values() for name in one.secrets),
}


def test_an_empty_environment_gives_the_defaults_and_names_every_unset_security_setting() -> None:
    found, problems = load({})
    assert found == Settings()
    assert {problem.name for problem in problems} == GUARDED
    assert all(problem.is_security and problem.is_unset for problem in problems)


@pytest.mark.parametrize(
    ("env", "default"),
    [
        ("MEMORY_ENABLE_INTELLIGENT_MEMORY", True),
        ("MEMORY_FALLBACK_ON_ERROR", True),
        ("MEMORY_MAX_CONTEXT_MESSAGES", 0),
        ("MEMORY_TIME_WINDOW_HOURS", 24),
        ("MEMORY_RELEVANCE_THRESHOLD", 0.3),
        ("MEMORY_REPLY_CHAIN_WEIGHT", 0.4),
        ("MEMORY_USER_CONTINUITY_WEIGHT", 0.15),
        ("MEMORY_TIME_DECAY_WEIGHT", 0.2),
        ("MEMORY_MENTION_RELATION_WEIGHT", 0.15),
        ("MEMORY_KEYWORD_OVERLAP_WEIGHT", 0.1),
        ("MEMORY_CONTEXT_BUILD_TIMEOUT_SECONDS", 5),
        ("MEMORY_ENABLE_ASYNC_DATA_COLLECTION", True),
        ("MEMORY_AUTO_TOP_K", 3),
        ("MEMORY_REWRITE_MAX_RETRY", 2),
        ("MEMORY_MIN_QUERY_LENGTH", 2),
        ("MEMORY_TOPIC_JOIN_THRESHOLD", 0.7),
        ("MEMORY_TOPIC_ASK_THRESHOLD", 0.5),
    ],
)
def test_the_settings_that_others_rely_on_have_their_names_and_defaults(
    env: str, default: object
) -> None:
    by_env = {setting.env: (name, setting) for name, setting in CATALOGUE.items()}
    name, setting = by_env[env]
    assert setting.default == default
    if env.startswith("MEMORY_"):
        assert name == env.removeprefix("MEMORY_").lower()


def test_every_setting_is_complete_and_its_default_is_valid() -> None:
    assert vars(Settings()).keys() == CATALOGUE.keys()
    assert len({setting.env for setting in CATALOGUE.values()}) == len(CATALOGUE)
    for name, setting in CATALOGUE.items():
        assert re.fullmatch(r"[A-Z][A-Z0-9_]+", setting.env), name
        assert setting.about.endswith("."), setting.env
        assert setting.expects, setting.env
        if setting.default is not None:
            assert read(name, setting.default) == setting.default, setting.env
    assert all(section.__doc__ for section in SECTIONS)


@pytest.mark.parametrize(
    ("env", "written", "name", "value"),
    [
        ("MEMORY_MAX_CONTEXT_MESSAGES", " 7 ", "max_context_messages", 7),
        ("MEMORY_FALLBACK_ON_ERROR", "OFF", "fallback_on_error", False),
        ("MEMORY_FALLBACK_ON_ERROR", "yes", "fallback_on_error", True),
        ("MEMORY_RELEVANCE_THRESHOLD", "1", "relevance_threshold", 1.0),
        ("MEMORY_LONG_TERM_TRIGGER", "always", "long_term_trigger", "always"),
        ("MEMORY_TRIGGER_KEYWORDS", "记得，上次, last time,", "trigger_keywords", 3),
        ("OPENAI_BASE_URL", "http://127.0.0.1:8/v1", "openai_base_url", "http://127.0.0.1:8/v1"),
        ("FIRESTORE_EMULATOR_HOST", "localhost:80", "firestore_emulator_host", "localhost:80"),
        ("MEMORY_MODEL", "gpt", "model", "gpt"),
        (
            "MEMORY_RECALL_WEIGHTS",
            "words=2, near = 0.5",
            "recall_weights",
            {"words": 2, "near": 0.5},
        ),
    ],
)
def test_a_good_value_is_read(env: str, written: str, name: str, value: object) -> None:
    found, problems = load({env: written})
    got = getattr(found, name)
    assert (len(got) if name == "trigger_keywords" else got) == value
    assert not [problem for problem in problems if not problem.is_security]


@pytest.mark.parametrize(
    ("env", "written"),
    [
        ("MEMORY_MAX_CONTEXT_MESSAGES", "-1"),
        ("MEMORY_MAX_CONTEXT_MESSAGES", "201"),
        ("MEMORY_MAX_CONTEXT_MESSAGES", "2.5"),
        ("MEMORY_MAX_CONTEXT_MESSAGES", "many"),
        ("MEMORY_RELEVANCE_THRESHOLD", "nan"),
        ("MEMORY_RELEVANCE_THRESHOLD", "inf"),
        ("MEMORY_RELEVANCE_THRESHOLD", "-0.1"),
        ("MEMORY_RELEVANCE_THRESHOLD", "low"),
        ("MEMORY_FALLBACK_ON_ERROR", "maybe"),
        ("MEMORY_LONG_TERM_TRIGGER", "never"),
        ("OPENAI_BASE_URL", "example.com"),
        ("OPENAI_BASE_URL", "http://[x"),
        ("CLOUD_TASKS_ENDPOINT", "http://x"),
    ],
)
def test_a_bad_value_gives_way_to_the_default_with_a_warning_that_names_it(
    env: str, written: str
) -> None:
    found, problems = load({env: written})
    assert found == Settings()
    (warning,) = [problem for problem in problems if not problem.is_security]
    assert warning.name == env
    assert env in warning.message
    assert "expected" in warning.message


def test_a_bad_value_does_not_spoil_its_neighbours() -> None:
    found, _ = load({"MEMORY_AUTO_TOP_K": "x", "MEMORY_MAX_RETURN": "9"})
    assert (found.auto_top_k, found.max_return) == (3, 9)


@pytest.mark.parametrize(
    ("env", "written", "name"),
    [
        ("ANNALS_TASK_AUTH", "none", "task_auth"),
        ("ANNALS_TASK_SERVICE_ACCOUNT", "somebody", "task_service_account"),
        ("ANNALS_HASH_KEY", "fifteen letters", "hash_key"),
        ("ANNALS_ROOT_KEY_HASH", "abc", "root_key_hash"),
        ("ANNALS_OIDC_CERTS_URL", "ftp://certs", "oidc_certs_url"),
    ],
)
def test_a_bad_security_setting_is_as_good_as_unset_and_its_value_is_not_shown(
    env: str, written: str, name: str
) -> None:
    found, problems = load({env: written})
    assert getattr(found, name) is None
    (problem,) = [problem for problem in problems if problem.name == env]
    assert problem.is_security
    assert not problem.is_unset
    assert written not in problem.message


def test_secrets_are_in_no_repr_and_no_warning() -> None:
    environ = {setting.env: "s3cret-" * 10 for _, setting in CATALOGUE.items() if setting.secret}
    found, problems = load(environ)
    assert found.hash_key == "s3cret-" * 10
    assert "s3cret" not in repr(found) + repr(problems)


def test_a_misspelt_name_is_pointed_out() -> None:
    _, problems = load({"MEMORY_RELEVANCE_TRESHOLD": "0.5"})
    assert "MEMORY_RELEVANCE_TRESHOLD" in [problem.name for problem in problems]


@pytest.mark.parametrize(
    "environ",
    [
        {"MEMORY_TOPIC_JOIN_THRESHOLD": "0.4", "MEMORY_TOPIC_ASK_THRESHOLD": "0.6"},
        {"MEMORY_ARCHIVE_THRESHOLD": "0.9"},
        {
            f"MEMORY_{name}_WEIGHT": "0"
            for name in (
                "REPLY_CHAIN",
                "TIME_DECAY",
                "USER_CONTINUITY",
                "MENTION_RELATION",
                "KEYWORD_OVERLAP",
            )
        },
    ],
)
def test_values_that_cannot_hold_together_give_way_to_the_defaults(environ: dict[str, str]) -> None:
    found, problems = load(environ)
    assert found == Settings()
    assert [problem for problem in problems if next(iter(environ)) in problem.message]


def test_each_prompt_may_have_its_own_model() -> None:
    found, _ = load({"MEMORY_MODEL": "big", "MEMORY_MODEL_MEMORY_EVOLVE": "small"})
    assert found.model == "big"
    assert vars(found)["model_memory_evolve"] == "small"
    assert all(hasattr(found, f"model_{prompt}") for prompt in PROMPTS)


def test_each_function_has_its_place() -> None:
    found, _ = load({"ANNALS_URL_EVOLVE_GROUP": "https://e.example/"})
    assert found.url_of("evolve_group") == "https://e.example"
    assert [function for function in FUNCTIONS if found.url_of(function)] == ["evolve_group"]
    with pytest.raises(ValueError, match="no function"):
        found.url_of("nothing")


def test_settings_do_not_change_but_a_changed_copy_can_be_made() -> None:
    found = Settings()
    with pytest.raises(ValidationError, match="auto_top_k"):
        found.auto_top_k = 7
    assert found.replaced(auto_top_k=7).auto_top_k == 7
    assert found == Settings()
    assert found != found.replaced(auto_top_k=7)
    with pytest.raises(ValidationError, match="max_fact"):
        Settings.model_validate({"max_fact": 3})


def test_what_work_cannot_go_on_without_is_named() -> None:
    assert need("x", "ANNALS_HASH_KEY") == "x"
    with pytest.raises(Misconfigured, match="ANNALS_HASH_KEY") as raised:
        need(None, "ANNALS_HASH_KEY")
    assert raised.value.detail == {"setting": "ANNALS_HASH_KEY"}


def test_the_process_reads_its_environment_once() -> None:
    assert settings() is settings()


def test_only_the_configuration_reads_the_environment() -> None:
    root = ROOT
    readers = {
        path.relative_to(root).as_posix()
        for folder in ("shared", "functions")
        for path in (root / folder).rglob("*.py")
        if re.search(
            r"\bos\.(environ(?!\.setdefault)|getenv)\b|\bimport environ\b", path.read_text("utf-8")
        )
    }
    assert readers == {"shared/config/__init__.py"}
