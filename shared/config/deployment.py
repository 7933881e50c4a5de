"""Where Annals runs and what it talks to, how long a request may take, and who may call."""

from typing import Literal

from shared.config.setting import Address, Email, Hash, Section, Url, security, setting

FUNCTIONS = ("ingest_message", "build_context", "evolve_group", "summarize_topic", "historian_job")
GOOGLE_CERTS_URL = "https://www.googleapis.com/oauth2/v3/certs"


class PlaceSettings(Section):
    """Services and addresses."""

    prefix = ""

    google_cloud_project: str = setting("annals-local", "The project.")
    firestore_database: str = setting("(default)", "The Firestore database.")
    firestore_emulator_host: Address = setting(None, "Firestore elsewhere than in the cloud.")
    cloud_tasks_endpoint: Address = setting(None, "Cloud Tasks elsewhere than in the cloud.")
    cloud_tasks_location: str = setting("local", "The queues' region.")
    google_external_account: str | None = setting(
        None,
        "On AWS: the configuration of workload identity federation, as JSON; it holds no key. "
        "Unset = the credentials of the environment.",
        env="ANNALS_GOOGLE_EXTERNAL_ACCOUNT",
    )
    pinecone_api_key: str | None = setting(None, "Pinecone's key.", secret=True)
    pinecone_controller_host: Url = setting(None, "Pinecone elsewhere than in the cloud.")
    pinecone_index: str = setting("annals", "The index of meanings (dense).")
    pinecone_words_index: str = setting(
        "annals-words", "The index of words (sparse); without it words find only among the newest."
    )
    pinecone_index_host: Url = setting(None, "Its own address; unset = one more call, by its name.")
    pinecone_words_index_host: Url = setting(None, "The same of the index of words.")
    openai_api_key: str | None = setting(None, "The models' key.", secret=True)
    openai_base_url: Url = setting(None, "Any OpenAI-compatible service; unset = OpenAI's.")
    url_ingest_message: Url = setting(None, "Where tasks find it.", env="ANNALS_URL_INGEST_MESSAGE")
    url_build_context: Url = setting(None, "Where tasks find it.", env="ANNALS_URL_BUILD_CONTEXT")
    url_evolve_group: Url = setting(None, "Where tasks find it.", env="ANNALS_URL_EVOLVE_GROUP")
    url_summarize_topic: Url = setting(
        None, "Where tasks find it.", env="ANNALS_URL_SUMMARIZE_TOPIC"
    )
    url_historian_job: Url = setting(None, "Where tasks find it.", env="ANNALS_URL_HISTORIAN_JOB")

    def url_of(self, function: str) -> str | None:
        """Where the function answers, without a trailing slash, if that is known."""
        if function not in FUNCTIONS:
            raise ValueError(f"there is no function {function!r}")
        found: str | None = getattr(self, f"url_{function}")
        return found and found.rstrip("/")


class WorkSettings(Section):
    """Time and queues."""

    prefix = "ANNALS_"

    webhook_deadline_seconds: float = setting(
        2.5,
        "How long a request may take before it is answered 503: `/webhooks/*` (Lark and Slack wait "
        "three seconds, then send again).",
        within=(0.1, 60),
    )
    api_deadline_seconds: float = setting(
        55, "... every other route of callers.", within=(0.1, 3600)
    )
    task_deadline_seconds: float = setting(290, "... `/tasks/*`.", within=(0.1, 3600))
    cron_deadline_seconds: float = setting(290, "... `/cron/*`.", within=(0.1, 3600))
    send_task_seconds: float = setting(
        0.7,
        "How long a request waits for Cloud Tasks to take a task: what is not sent by then, the "
        "sweep sends.",
        within=(0.1, 30),
    )
    attribute_queues: int = setting(
        1,
        "Over how many queues attribution is spread (`attribute`, `attribute-2`, ...): one queue "
        "sends 500 tasks a second at most.",
        within=(1, 100),
    )
    summarize_queues: int = setting(1, "The same of summaries.", within=(1, 100))
    slot_asked_seconds: float = setting(
        2,
        "How long messages gather before their topics are found: where the bot was asked (private "
        "chats, mentions of it, its lines and answers to them).",
        within=(0.5, 60),
    )
    slot_ordinary_seconds: float = setting(20, "... ordinary talk.", within=(0.5, 3600))
    slot_late_seconds: float = setting(
        45, "... ordinary talk while topics come later than twice this.", within=(0.5, 3600)
    )
    lease_seconds: float = setting(
        60,
        "A worker that says nothing for this long has died; it renews three times as often.",
        within=(1, 600),
    )
    sweep_after_seconds: float = setting(
        60, "Work that waits longer is sent again.", within=(1, 3600)
    )
    stuck_after_tries: int = setting(
        5,
        "A group woken so often in vain is set aside: what it says no longer sends tasks.",
        within=(1, 100),
    )


class GuardSettings(Section):
    """Security: unset or bad = the route that needs it answers 503 and names it."""

    prefix = ""

    task_auth: Literal["oidc", "iam"] | None = security(
        "Who checks the tokens of tasks and schedules: `oidc` = the function itself; "
        "`iam` = Cloud Run's IAM, which must not admit everybody.",
        env="ANNALS_TASK_AUTH",
    )
    task_audience: str | None = security(
        "The audience of those tokens.", env="ANNALS_TASK_AUDIENCE"
    )
    task_service_account: Email = security(
        "The account they must belong to.", env="ANNALS_TASK_SERVICE_ACCOUNT"
    )
    oidc_certs_url: Url = security(
        "Where their signer's public keys are, as a JSON Web Key Set.",
        env="ANNALS_OIDC_CERTS_URL",
        default=GOOGLE_CERTS_URL,
        needed=False,
    )
    hash_key: str | None = security(
        "Keys the hashes of API keys and of forgotten members; changing it voids both.",
        env="ANNALS_HASH_KEY",
        min_length=16,
        secret=True,
    )
    root_key_hash: Hash = security(
        "Hash of the one key that may do everything; unset = there is none.",
        env="ANNALS_ROOT_KEY_HASH",
        needed=False,
        secret=True,
    )


class ChatPlatformSettings(Section):
    """Chat platforms: unset = the platform's webhook answers 503 and names it."""

    prefix = ""

    lark_encrypt_key: str | None = security("Of the Lark app; for `/webhooks/lark`.", secret=True)
    lark_verification_token: str | None = security(
        "Of the Lark app; for `/webhooks/lark`.", secret=True
    )
    lark_bot_open_id: str | None = security(
        "The bot's own open id (`ou_...`): a mention is known as one of the bot where Lark does "
        "not say whom it means.",
        needed=False,
    )
    onebot_secret: str | None = security(
        "Signs OneBot's events; for `/webhooks/onebot`.", secret=True
    )
    slack_signing_secret: str | None = security(
        "Of the Slack app; for `/webhooks/slack`.", secret=True
    )
    telegram_secret_token: str | None = security(
        "Given to setWebhook; for `/webhooks/telegram`.", secret=True
    )
