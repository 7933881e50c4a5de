"""A query on the wire is what Google's own client would send for the same question."""

from datetime import UTC
from typing import Any

from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from hypothesis import given
from hypothesis import strategies as st

from shared.stores.firestore import NAME, DocumentPath, Query, collection, collection_group
from shared.stores.firestore.query import structured

CLIENT = firestore.Client(project="p", credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]
DOCUMENTS = "projects/p/databases/(default)/documents"
FIELDS = st.sampled_from(["create_time", "group_id", "state", "terms"])
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.text(),
    st.datetimes(timezones=st.just(UTC)),
)
LISTS = st.lists(st.text(), min_size=1, max_size=5)
FILTERS = st.one_of(
    st.tuples(FIELDS, st.just("=="), VALUES),
    st.tuples(FIELDS, st.sampled_from(["<", "<=", ">", ">="]), VALUES.filter(bool)),
    st.tuples(FIELDS, st.just("array_contains"), st.text()),
    st.tuples(FIELDS, st.sampled_from(["in", "array_contains_any"]), LISTS),
)
PATHS = st.sampled_from(["jobs", "groups/lark:1/messages", "groups/a/topics/b/summaries"])


@given(
    PATHS,
    st.booleans(),
    st.lists(FILTERS, max_size=3),
    st.lists(st.tuples(FIELDS, st.booleans()), max_size=2, unique_by=lambda one: one[0]),
    st.lists(FIELDS, max_size=2, unique=True),
    st.none() | st.integers(1, 500),
    st.integers(0, 100),
    st.none() | st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20),
)
def test_a_query_is_what_the_sdk_would_send(
    path: str,
    is_everywhere: bool,
    filters: list[tuple[str, str, Any]],
    orders: list[tuple[str, bool]],
    selected: list[str],
    limit: int | None,
    offset: int,
    after: str | None,
) -> None:
    collection_id = path.rpartition("/")[2]
    ours: Query = collection_group(collection_id) if is_everywhere else collection(path)
    known: Any = CLIENT.collection(path)
    theirs: Any = CLIENT.collection_group(collection_id) if is_everywhere else known._query()
    for one in filters:
        ours, theirs = ours.where(*one), theirs.where(filter=FieldFilter(*one))
    for name, is_descending in orders:
        ours = ours.order_by(name, is_descending=is_descending)
        theirs = theirs.order_by(name, direction="DESCENDING" if is_descending else "ASCENDING")
    if selected:
        ours, theirs = ours.select(*selected), theirs.select(selected)
    if limit is not None:
        ours, theirs = ours.limit(limit), theirs.limit(limit)
    if offset:
        ours, theirs = ours.offset(offset), theirs.offset(offset)
    if after is not None and not is_everywhere:
        # Behind a document: one value for each order, its name last.
        ours = ours.order_by(NAME).start_after(
            *(name for name, _ in orders), DocumentPath(f"{path}/{after}")
        )
        last = CLIENT.document(f"{path}/{after}")
        theirs = theirs.order_by("__name__").start_after(
            {**{name: name for name, _ in orders}, "__name__": last}
        )

    expected = type(theirs._to_protobuf()).pb(theirs._to_protobuf())

    assert structured(ours, DOCUMENTS) == expected
    assert (
        f"{DOCUMENTS}/{ours.parent}" if ours.parent else DOCUMENTS
    ) == theirs._parent._parent_info()[0]


def test_a_query_stays_as_it_is_when_another_is_made_of_it() -> None:
    jobs = collection("jobs")
    jobs.where("state", "==", "done").order_by("due_at").limit(3)

    assert jobs == collection("jobs")
