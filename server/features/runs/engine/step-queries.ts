import type { Sql } from '../../../database/database.ts'
import type { Held } from './lease.ts'

export interface StepNumber {
  n: number
  attempt: number
}

export interface StepRow {
  n: number
  attempt: number
  state: 'streaming' | 'done' | 'interrupted' | 'failed'
  finish: string | null
  model: string
}

export const latestStep = async (sql: Sql, { orgId, id }: Held) => {
  const [row] = await sql<StepRow[]>`
    select n, attempt, state, finish, model from run_steps
    where org_id = ${orgId} and run_id = ${id} order by n desc, attempt desc limit 1`
  return row
}

export interface CutOff {
  attempt: number
  model: string
  context: { tokens: number } | null
  /** The characters of its answer that were stored. */
  characters: number
}

/** Marks the attempts of a step that ended with their process, and returns them: their usage was never reported. */
export const interruptAttempts = (sql: Sql, { orgId, id }: Held, n: number, now: Date) => sql<CutOff[]>`
  update run_steps s set state = 'interrupted', finished_at = ${now}
  where s.org_id = ${orgId} and s.run_id = ${id} and s.n = ${n} and s.state = 'streaming'
  returning s.attempt, s.model, s.context, (
    select coalesce(sum(length(e.data ->> 'text')), 0)::int from run_events e
    where e.org_id = s.org_id and e.run_id = s.run_id and e.type in ('text', 'reasoning')
      and (e.data ->> 'n')::int = s.n and (e.data ->> 'attempt')::int = s.attempt) as characters`

export const insertAttempt = (
  sql: Sql,
  { orgId, id }: Held,
  step: { n: number; attempt: number; model: string; context: object; now: Date },
) => sql`
  insert into run_steps (org_id, run_id, n, attempt, state, model, context, started_at)
  values (${orgId}, ${id}, ${step.n}, ${step.attempt}, 'streaming', ${step.model}, ${sql.json(step.context as never)},
    ${step.now})`

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

export const endAttempt = (sql: Sql, { orgId, id }: Held, end: AttemptEnd) => sql`
  update run_steps set state = ${end.state}, content = ${sql.json(end.content as never)}, finish = ${end.finish},
    usage = ${sql.json(end.usage as never)}, cost = ${end.cost}, error_code = ${end.errorCode}, error = ${end.error},
    first_token_at = ${end.firstTokenAt}, finished_at = ${end.now}
  where org_id = ${orgId} and run_id = ${id} and n = ${end.n} and attempt = ${end.attempt}`

export async function countInterruptions(sql: Sql, { orgId, id }: Held, n: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from run_steps
    where org_id = ${orgId} and run_id = ${id} and n = ${n} and state in ('interrupted', 'streaming')`
  return row!.count
}
