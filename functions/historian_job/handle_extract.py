"""Reads facts, entities and relations out of a batch of rounds: one model call, one fenced commit,
then vectors."""

from datetime import datetime
from typing import Any

from functions.historian_job.extraction_batch import (
    Batch,
    ExtractionDeps,
    deps_for,
    known,
    names_in,
    question,
)
from functions.historian_job.extraction_writes import (
    conflict_writes,
    graph_writes,
    memory_writes,
    profile_jobs,
)
from shared import log
from shared.contracts.jobs import next_extract_job
from shared.contracts.prompt_names import PromptNames
from shared.contracts.replies import Extraction
from shared.domain.context.shown_times import zone_named
from shared.domain.group import Group
from shared.domain.jobs.kinds import NO_COST, ExtractionReport, ExtractRounds, ModelCost
from shared.domain.knowledge.extracted_facts import (
    FactRules,
    ReadFact,
    judged_facts,
)
from shared.domain.knowledge.rounds import (
    CURSOR,
    MAX_MESSAGES,
    RoundsPage,
    extracted_until,
    kept_reply,
    rounds_page,
)
from shared.errors import BadReply
from shared.jobs.worker import JobInHand
from shared.search.memory_index import index
from shared.stores.groups import Plan
from shared.stores.jobs import new_job
from shared.wiring import Services


async def run(work: JobInHand, made: Services) -> ExtractionReport:
    return await extract(work, deps_for(await made.groups.find(work.job.group_id), made))


async def extract(work: JobInHand, deps: ExtractionDeps) -> ExtractionReport:
    """One batch. After the commit a repetition only puts the vectors again."""
    if work.is_committed:
        report = work.report(ExtractionReport)
    else:
        report = await work.planned(lambda one: _extracted(one, deps))
    group_id = work.job.group_id
    await index(group_id, report.touched, deps.memories, deps.vectors)
    await deps.entity_index.put(group_id, report.entities_touched)
    for job_id in (*report.profile_jobs, *([report.next_job] if report.next_job else [])):
        job = await deps.jobs.get(job_id)
        if job is not None and job.is_open:
            await deps.dispatch.job(job)
    return report


async def _extracted(work: JobInHand, deps: ExtractionDeps) -> ExtractionReport:
    work.payload(ExtractRounds)
    group = await deps.groups.get(work.job.group_id)
    batch_size = deps.settings.extract_batch_size
    page = RoundsPage((), 0)
    if batch_size and deps.settings.enable_cognitive:
        read = await deps.messages.since(group.group_id, group.cursors.get(CURSOR), MAX_MESSAGES)
        page = rounds_page(read, group, batch_size, work.job.reply)
    said = page.spoken
    if not any(one.role != "assistant" for one in said):
        return await _nothing(work, page, group, deps.now())
    found = await known(group.group_id, deps)
    batch = Batch(group, said, names_in(said), found)
    reply, cost = await _reply(work, page, batch, deps)
    told = [_read_fact(one, batch.prompt_names) for one in reply.facts]
    facts = judged_facts(told, said, batch.names, batch.memories, _rules(group, deps))
    plan, written = await memory_writes(work, batch, facts, deps)
    conflicts = await conflict_writes(batch, facts.contradictions, plan, deps)
    graph, entities, relations, refused = await graph_writes(batch, reply, deps)
    next_job = next_extract_job(work.job, deps.now()) if page.is_more else None
    merges = profile_jobs(work, batch, plan, deps.now())
    report = ExtractionReport(
        rounds_read=page.rounds,
        facts=len(plan.new),
        entities=len(entities),
        relations=relations,
        refused=len(facts.refused) + len(plan.warnings) + len(refused),
        conflicts=len(facts.contradictions),
        touched=tuple(one.memory_id for one in (*plan.new, *plan.changed)),
        entities_touched=tuple(one.entity_id for one in entities),
        next_job=next_job.job_id if next_job else None,
        judged=plan.judged,
        profile_jobs=tuple(one.job_id for one in merges),
        cost=cost,
    )
    jobs = [*merges, *([next_job] if next_job else [])]
    writes = [*written, *conflicts, *graph, *map(new_job, jobs)]
    await work.commit(
        Plan(
            group.group_id,
            group.epoch,
            writes,
            change=lambda now_group: extracted_until(page, now_group, deps.now()),
            report=report,
        )
    )
    if reasons := [*facts.refused, *plan.warnings, *refused]:
        log.info("extraction_refused", group_id=group.group_id, reasons=sorted(set(reasons)))
    return report


async def _nothing(
    work: JobInHand, page: RoundsPage, group: Group, now: datetime
) -> ExtractionReport:
    """No round to read: no call. Lines far from any round are passed over."""
    report = ExtractionReport(page.rounds, 0, 0, 0, 0, 0, (), (), None)
    change = (lambda now_group: extracted_until(page, now_group, now)) if page.messages else None
    await work.commit(Plan(group.group_id, group.epoch, [], change=change, report=report))
    return report


def _rules(group: Group, deps: ExtractionDeps) -> FactRules:
    own = deps.settings
    zone = zone_named(own.timezone, group.timezone)
    return FactRules(own.max_facts, own.min_confidence, own.auto_tag, own.conflict_margin, zone)


async def _reply(
    work: JobInHand, page: RoundsPage, batch: Batch, deps: ExtractionDeps
) -> tuple[Extraction, ModelCost]:
    """The model's answer; its raw text is kept on the job before anything is made of it."""
    if page.answer is not None:
        reply, _ = Extraction.read(page.answer)
        if reply is None:
            raise BadReply("the stored answer cannot be read")
        return reply, NO_COST
    answer = await deps.model.ask(
        "extract",
        Extraction,
        question(batch, deps.settings),
        group_id=work.job.group_id,
        budget_s=deps.model_budget_s,
    )
    await work.keep_reply(kept_reply(page, answer.raw, batch.group.epoch))
    return answer.reply, answer.cost


def _read_fact(read: Any, names: PromptNames) -> ReadFact:
    return ReadFact(
        content=read.content,
        type=read.type,
        subject=names.user_id(read.subject or ""),
        confidence=read.confidence,
        tags=tuple(read.tags),
        replaces=names.memories.whole(read.replaces or ""),
        sources=tuple(names.whole_messages(read.sources)),
    )
