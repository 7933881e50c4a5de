"""Where Annals runs and what it talks to, and how long a request may take."""

from shared.config.setting import address, assigned, number, text, url, whole

FUNCTIONS = (
    "ingest_message",
    "build_context",
    "evolve_group",
    "summarize_topic",
    "historian_job",
)


class Places:
    """Services and addresses."""

    google_cloud_project: str = text("GOOGLE_CLOUD_PROJECT", "annals-local", "The project.")
    firestore_database: str = text("FIRESTORE_DATABASE", "(default)", "The Firestore database.")
    firestore_emulator_host: str | None = address(
        "FIRESTORE_EMULATOR_HOST", "Firestore elsewhere than in the cloud."
    )
    cloud_tasks_endpoint: str | None = address(
        "CLOUD_TASKS_ENDPOINT", "Cloud Tasks elsewhere than in the cloud."
    )
    cloud_tasks_location: str = text("CLOUD_TASKS_LOCATION", "local", "The queues' region.")
    google_external_account: str | None = text(
        "ANNALS_GOOGLE_EXTERNAL_ACCOUNT",
        None,
        "On AWS: the configuration of workload identity federation, as JSON; it holds no key. "
        "Unset = the credentials of the environment.",
    )
    pinecone_api_key: str | None = text("PINECONE_API_KEY", None, "Pinecone's key.", secret=True)
    pinecone_controller_host: str | None = url(
        "PINECONE_CONTROLLER_HOST", "Pinecone elsewhere than in the cloud."
    )
    pinecone_index: str = text("PINECONE_INDEX", "annals", "The index of meanings (dense).")
    pinecone_words_index: str = text(
        "PINECONE_WORDS_INDEX",
        "annals-words",
        "The index of words (sparse); without it words find only among the newest.",
    )
    pinecone_index_host: str | None = url(
        "PINECONE_INDEX_HOST", "Its own address; unset = one more call, by its name."
    )
    pinecone_words_index_host: str | None = url(
        "PINECONE_WORDS_INDEX_HOST", "The same of the index of words."
    )
    openai_api_key: str | None = text("OPENAI_API_KEY", None, "The models' key.", secret=True)
    openai_base_url: str | None = url(
        "OPENAI_BASE_URL", "Any OpenAI-compatible service; unset = OpenAI's."
    )
    otlp_endpoint: str | None = url(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "An OpenTelemetry collector (OTLP over HTTP), sent one span a request; unset = none.",
    )
    otlp_headers: str | None = assigned(
        "OTEL_EXPORTER_OTLP_HEADERS", "Headers for it: `name=value`, separated by commas."
    )
    url_ingest_message: str | None = url("ANNALS_URL_INGEST_MESSAGE", "Where tasks find it.")
    url_build_context: str | None = url("ANNALS_URL_BUILD_CONTEXT", "Where tasks find it.")
    url_evolve_group: str | None = url("ANNALS_URL_EVOLVE_GROUP", "Where tasks find it.")
    url_summarize_topic: str | None = url("ANNALS_URL_SUMMARIZE_TOPIC", "Where tasks find it.")
    url_historian_job: str | None = url("ANNALS_URL_HISTORIAN_JOB", "Where tasks find it.")

    def url_of(self, function: str) -> str | None:
        """Where the function answers, without a trailing slash, if that is known."""
        if function not in FUNCTIONS:
            raise ValueError(f"there is no function {function!r}")
        found: str | None = getattr(self, f"url_{function}")
        return found and found.rstrip("/")


class Deadlines:
    """How long a request may take before it is answered 503."""

    webhook_deadline_seconds: float = number(
        "ANNALS_WEBHOOK_DEADLINE_SECONDS",
        2.5,
        0.1,
        60,
        "`/webhooks/*`: Lark and Slack wait three seconds, then send again.",
    )
    api_deadline_seconds: float = number(
        "ANNALS_API_DEADLINE_SECONDS", 55, 0.1, 3600, "Every other route of callers."
    )
    task_deadline_seconds: float = number(
        "ANNALS_TASK_DEADLINE_SECONDS", 290, 0.1, 3600, "`/tasks/*`."
    )
    cron_deadline_seconds: float = number(
        "ANNALS_CRON_DEADLINE_SECONDS", 290, 0.1, 3600, "`/cron/*`."
    )


class Sending:
    """How long a request waits for Cloud Tasks to take a task."""

    send_task_seconds: float = number(
        "ANNALS_SEND_TASK_SECONDS",
        0.7,
        0.1,
        30,
        "It takes milliseconds; what is not sent by then, the sweep sends.",
    )


class Queues:
    """Over how many queues work is spread."""

    attribute_queues: int = whole(
        "ANNALS_ATTRIBUTE_QUEUES",
        1,
        1,
        100,
        "`attribute`, `attribute-2`, ...: one queue sends 500 tasks a second at most.",
    )
    summarize_queues: int = whole(
        "ANNALS_SUMMARIZE_QUEUES", 1, 1, 100, "The same of `summarize`, `summarize-2`, ..."
    )


class Pace:
    """How long messages gather before their topics are found."""

    slot_asked_seconds: float = number(
        "ANNALS_SLOT_ASKED_SECONDS",
        2,
        0.5,
        60,
        "Where the bot was asked: private chats, mentions of it, its lines and answers to them.",
    )
    slot_ordinary_seconds: float = number(
        "ANNALS_SLOT_ORDINARY_SECONDS", 20, 0.5, 3600, "Ordinary talk."
    )
    slot_late_seconds: float = number(
        "ANNALS_SLOT_LATE_SECONDS",
        45,
        0.5,
        3600,
        "Ordinary talk while topics come later than twice this.",
    )


class Healing:
    """How soon what was left lying is taken up again."""

    lease_seconds: float = number(
        "ANNALS_LEASE_SECONDS",
        60,
        1,
        600,
        "A worker that says nothing for this long has died; it renews three times as often.",
    )
    sweep_after_seconds: float = number(
        "ANNALS_SWEEP_AFTER_SECONDS", 60, 1, 3600, "Work that waits longer is sent again."
    )
    stuck_after_tries: int = whole(
        "ANNALS_STUCK_AFTER_TRIES",
        5,
        1,
        100,
        "A group woken so often in vain is set aside: what it says no longer sends tasks.",
    )
