"""The numbers of the service: what it refuses, and where it cuts a page."""

MAX_UPSERT_VECTORS = 1_000
MAX_UPSERT_BYTES = 2 * 1024 * 1024
"""Of the encoded body of an upsert; beyond it the service answers 413."""

MAX_REQUEST_BYTES = 4 * 1024 * 1024
MAX_RESULT_BYTES = 4 * 1024 * 1024
"""Of a query's result, counted as the service does: four bytes a number."""

MAX_ID_LENGTH = 512
MAX_IDS = 1_000
"""Of one fetch or delete."""

MAX_NAMESPACE_LENGTH = 512
MAX_METADATA_BYTES = 40 * 1024
MAX_TOP_K = 10_000
MAX_DIMENSION = 20_000
MAX_SPARSE_VALUES = 2_048
"""Non-zero values of one sparse vector."""

MAX_FILTER_VALUES = 10_000
"""Of one $in or $nin."""

LIST_PAGE = 100
FETCH_BY_METADATA_PAGE = 100
MAX_FETCH_BY_METADATA_PAGE = 10_000

MAX_INDEX_NAME_LENGTH = 45
MAX_TAGS = 20
MAX_TAG_KEY_LENGTH = 80
MAX_TAG_VALUE_LENGTH = 120
