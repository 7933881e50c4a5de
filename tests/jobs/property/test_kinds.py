"""What a job is asked to do and what it reports come back from the database as they went in."""

from datetime import UTC, datetime
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.jobs.job import Job, KeptReply
from shared.domain.jobs.kinds import Payload, Report
from shared.stores.firestore import Snapshot
from shared.stores.jobs import JOBS

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PAYLOADS, REPORTS = (get_args(get_args(union)[0]) for union in (Payload, Report))
MOMENTS = st.datetimes(timezones=st.just(UTC))
RECORDS = {kind: st.from_type(kind) for kind in (*PAYLOADS, *REPORTS, KeptReply)}
st.register_type_strategy(datetime, MOMENTS)


@given(
    payload=st.one_of(*(RECORDS[kind] for kind in PAYLOADS)),
    report=st.none() | st.one_of(*(RECORDS[kind] for kind in REPORTS)),
    reply=st.none() | RECORDS[KeptReply],
)
def test_a_stored_job_is_read_as_the_kind_it_was(
    payload: Payload, report: Report | None, reply: KeptReply | None
) -> None:
    job = Job("j1", "k", "q", "g:1", "g:1:k", payload, 3, NOW, NOW)
    job = Job(**{**vars(job), "report": report, "reply": reply})

    read = JOBS.read(Snapshot("jobs/j1", JOBS.fields(job), NOW, NOW))

    assert read == job
    assert (type(read.payload), type(read.report)) == (type(payload), type(report))
