import type { Fragment, Sql } from '../../../../database/database.ts'
import type { LeasedRun } from './lease.ts'

export interface StepNumber {
  n: number
  attempt: number
}

export interface StepRow {
  n: number
  attempt: number
  state: 'streaming' | 'done' | 'interrupted' | 'failed'
  kind: 'answer' | 'summary'
  errorCode: string | null
  finish: string | null
  model: string
}

export const findLatestStep = async (sql: Sql, { orgId, id }: LeasedRun) => {
  const [row] = await sql<StepRow[]>`
    select n, attempt, state, kind, error_code as "errorCode", finish, model from run_steps
    where org_id = ${orgId} and run_id = ${id} order by n desc, attempt desc limit 1`
  return row
}

/** A member's message ended the attempt. */
const STEERED = 'steered'

/** A stopping process ended the attempt. */
const HANDED_OVER = 'handed_over'

/** Attempt `s` doesn't count as a crash. */
export const isUncounted = (sql: Sql): Fragment =>
  sql`coalesce(s.error_code in (${STEERED}, ${HANDED_OVER}), false)`

/** Part of the statement that checks the lease. */
export const handOverAttemptCte = (sql: Sql): Fragment => sql`
  attempt as (
    update run_steps s set error_code = ${HANDED_OVER} from run
    where s.org_id = run.org_id and s.run_id = run.id and s.state = 'streaming' and s.error_code is null
  )`

export interface InterruptedAttempt {
  attempt: number
  kind: StepRow['kind']
  model: string
  context: { tokens: number } | null
  characters: number
  /** Its text is already a message. */
  isSteered: boolean
}

export const interruptAttempts = (sql: Sql, { orgId, id }: LeasedRun, n: number, now: Date) => sql<
  InterruptedAttempt[]
>`
  update run_steps s set state = 'interrupted', finished_at = ${now}
  where s.org_id = ${orgId} and s.run_id = ${id} and s.n = ${n} and s.state = 'streaming'
  returning s.attempt, s.kind, s.model, s.context, (
    select coalesce(sum(length(e.data ->> 'text')), 0)::int from run_events e
    where e.org_id = s.org_id and e.run_id = s.run_id and e.type in ('text', 'reasoning')
      and (e.data ->> 'n')::int = s.n and (e.data ->> 'attempt')::int = s.attempt) as characters,
    coalesce(s.error_code = ${STEERED}, false) as "isSteered"`

export const insertAttempt = (
  sql: Sql,
  { orgId, id }: LeasedRun,
  step: { n: number; attempt: number; kind: StepRow['kind']; model: string; context: object; now: Date },
) => sql`
  insert into run_steps (org_id, run_id, n, attempt, kind, state, model, context, started_at)
  values (${orgId}, ${id}, ${step.n}, ${step.attempt}, ${step.kind}, 'streaming', ${step.model},
    ${sql.json(step.context as never)}, ${step.now})`

export interface AttemptEnd {
  n: number
  attempt: number
  state: 'done' | 'interrupted' | 'failed'
  content: unknown
  finish: string | null
  usage: object | null
  cost: string | null
  errorCode: string | null
  error: string | null
  firstTokenAt: Date | null
  now: Date
}

export const endAttempt = (sql: Sql, { orgId, id }: LeasedRun, end: AttemptEnd) => sql`
  update run_steps set state = ${end.state}, content = ${sql.json(end.content as never)}, finish = ${end.finish},
    usage = ${sql.json(end.usage as never)}, cost = ${end.cost}, error_code = ${end.errorCode}, error = ${end.error},
    first_token_at = ${end.firstTokenAt}, finished_at = ${end.now}
  where org_id = ${orgId} and run_id = ${id} and n = ${end.n} and attempt = ${end.attempt}`

export async function steerAttempt(sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>) {
  const [row] = await sql<(StepNumber & Pick<StepRow, 'kind'>)[]>`
    update run_steps set error_code = ${STEERED}
    where org_id = ${orgId} and run_id = ${id} and state = 'streaming' and error_code is null
    returning n, attempt, kind`
  return row
}

export async function textOfAttempt(
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
  { n, attempt }: StepNumber,
): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
    select coalesce(string_agg(data ->> 'text', '' order by seq), '') as text from run_events
    where org_id = ${orgId} and run_id = ${id} and type = 'text' and (data ->> 'n')::int = ${n}
      and (data ->> 'attempt')::int = ${attempt}`
  return row!.text
}

export async function listTriedModels(
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
): Promise<string[]> {
  const rows = await sql<{ model: string }[]>`
    select distinct model from run_steps where org_id = ${orgId} and run_id = ${id}`
  return rows.map(({ model }) => model)
}

export async function countExceeded(
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
  n: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from run_steps
    where org_id = ${orgId} and run_id = ${id} and n = ${n} and kind = 'summary' and error_code = 'context_too_long'`
  return row!.count
}
