import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isProjectVisible } from '../../../projects/access/access.ts'
import { buildSegments, type StripCall, type StripRun, type StripStep } from './segments.ts'

/** For several runs, with the same four statements however many there are. */
export async function readStrips({ sql, caller, now }: Context, { ids }: InputOf<typeof agentRuns.strips>) {
  const runs = await listStripRuns(sql, caller, ids)
  const visible = runs.map(({ id }) => id)
  const workflows = runs.filter(({ kind }) => kind === 'workflow').map(({ id }) => id)
  const [steps, calls, blocks] = await Promise.all([
    listStripSteps(sql, caller.orgId, visible),
    listStripCalls(sql, caller.orgId, visible),
    workflows.length === 0 ? [] : listBlockRuns(sql, caller.orgId, workflows),
  ])
  const stepsByRun = Map.groupBy([...steps, ...blocks], ({ runId }) => runId)
  const callsByRun = Map.groupBy(calls, ({ runId }) => runId)
  return {
    items: runs.map((run) => ({
      runId: run.id,
      segments: buildSegments(
        run,
        stepsByRun.get(run.id) ?? [],
        callsByRun.get(run.id) ?? [],
        now().getTime(),
      ),
    })),
  }
}

interface Owned {
  runId: string
}

const listStripRuns = (sql: Sql, caller: Caller, ids: readonly string[]) => sql<
  (StripRun & { id: string; kind: string })[]
>`
  select r.id, r.kind, r.status, r.started_at as "startedAt", r.finished_at as "finishedAt" from runs r
  where r.org_id = ${caller.orgId} and r.id = any(${[...ids]}::uuid[]) and r.agent_id is not null
    and ${isProjectVisible(sql, caller, sql`r.project_id`)}`

/** Per run, so one with thousands of calls doesn't slow down a list. */
const SPANS_MAX = 200

const listStripSteps = (sql: Sql, orgId: string, runIds: readonly string[]) => sql<(StripStep & Owned)[]>`
  select s.* from unnest(${[...runIds]}::uuid[]) i (id)
  cross join lateral (
    select s.run_id as "runId", s.n, s.state, s.started_at as "startedAt", s.finished_at as "finishedAt" from run_steps s
    where s.org_id = ${orgId} and s.run_id = i.id order by s.run_id, s.n, s.attempt limit ${SPANS_MAX}
  ) s`

const listStripCalls = (sql: Sql, orgId: string, runIds: readonly string[]) => sql<(StripCall & Owned)[]>`
  select c.* from unnest(${[...runIds]}::uuid[]) i (id)
  cross join lateral (
    select c.run_id as "runId", c.step, c.tool, c.state, c.approval_id is not null as "needsApproval",
      c.started_at as "startedAt", c.finished_at as "finishedAt" from run_calls c
    where c.org_id = ${orgId} and c.run_id = i.id and c.parent is null order by c.run_id, c.step, c.ordinal limit ${SPANS_MAX}
  ) c`

/** A workflow has no steps of its own: its blocks' runs take their place. */
const listBlockRuns = (sql: Sql, orgId: string, runIds: readonly string[]) => sql<(StripStep & Owned)[]>`
  select b.* from unnest(${[...runIds]}::uuid[]) i (id)
  cross join lateral (
    select c.parent_run_id as "runId", 0 as n,
      case when c.status = 'failed' then 'failed' when c.finished_at is null then 'streaming' else 'done' end as state,
      c.started_at as "startedAt", c.finished_at as "finishedAt" from runs c
    where c.org_id = ${orgId} and c.parent_run_id = i.id and c.started_at is not null limit ${SPANS_MAX}
  ) b`
