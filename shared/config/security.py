"""Who may call: the settings that have no fallback. A route that needs one and lacks it says so."""

from shared.config.setting import EMAIL, HEX_64, security

GOOGLE_CERTS_URL = "https://www.googleapis.com/oauth2/v1/certs"


class Guards:
    """Security: unset or bad = the route that needs it answers 503 and names it."""

    task_auth: str | None = security(
        "ANNALS_TASK_AUTH",
        "Who checks the tokens of tasks and schedules: `oidc` = the function itself; "
        "`iam` = Cloud Run's IAM, which must not admit everybody.",
        kind="choice",
        choices=("oidc", "iam"),
    )
    task_audience: str | None = security("ANNALS_TASK_AUDIENCE", "The audience of those tokens.")
    task_service_account: str | None = security(
        "ANNALS_TASK_SERVICE_ACCOUNT", "The account they must belong to.", pattern=EMAIL
    )
    oidc_certs_url: str | None = security(
        "ANNALS_OIDC_CERTS_URL",
        "Where their signer's certificates are.",
        kind="url",
        default=GOOGLE_CERTS_URL,
        needed=False,
    )
    hash_key: str | None = security(
        "ANNALS_HASH_KEY",
        "Keys the hashes of API keys and of forgotten members; changing it voids both.",
        low=16,
        secret=True,
    )
    root_key_hash: str | None = security(
        "ANNALS_ROOT_KEY_HASH",
        "Hash of the one key that may do everything; unset = there is none.",
        pattern=HEX_64,
        needed=False,
        secret=True,
    )
    lark_encrypt_key: str | None = security(
        "LARK_ENCRYPT_KEY", "Of the Lark app; for `/webhooks/lark`.", secret=True
    )
    lark_verification_token: str | None = security(
        "LARK_VERIFICATION_TOKEN", "Of the Lark app; for `/webhooks/lark`.", secret=True
    )
    lark_bot_open_id: str | None = security(
        "LARK_BOT_OPEN_ID",
        "The bot's own open id (`ou_...`): a mention is known as one of the bot where Lark does "
        "not say whom it means.",
        needed=False,
    )
    onebot_secret: str | None = security(
        "ONEBOT_SECRET", "Signs OneBot's events; for `/webhooks/onebot`.", secret=True
    )
    slack_signing_secret: str | None = security(
        "SLACK_SIGNING_SECRET", "Of the Slack app; for `/webhooks/slack`.", secret=True
    )
    telegram_secret_token: str | None = security(
        "TELEGRAM_SECRET_TOKEN", "Given to setWebhook; for `/webhooks/telegram`.", secret=True
    )
