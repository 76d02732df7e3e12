import type { Sql } from '../../../database/database.ts'
import { findLastAnswer } from '../conversations/conversations.ts'

export interface EndedRun {
  status: 'succeeded' | 'failed' | 'canceled'
  /** The reason as text; null if it succeeded. */
  error: string | null
  /** The last answer; null without one. */
  answer: string | null
  /**
   * Whether all messages that the run answers came from outside. The answer to a member in between is not for people
   * outside.
   */
  isForOutside: boolean
}

/** A run of messages from outside that has ended, with the answer that may go back. Null while it continues. */
export async function findEndedRun(sql: Sql, orgId: string, runId: string): Promise<EndedRun | null> {
  const [row] = await sql<Omit<EndedRun, 'answer'>[]>`
    select r.status, case when r.status <> 'succeeded' then coalesce(r.error, 'The run was ' || r.status) end as error,
      r.trigger = 'provider_event' and not exists (
        select from messages m
        where m.org_id = r.org_id and m.run_id = r.id and m.role = 'user' and m.author_id is not null) as "isForOutside"
    from runs r where r.org_id = ${orgId} and r.id = ${runId} and r.status in ('succeeded', 'failed', 'canceled')`
  if (!row) return null
  const answer = row.status === 'succeeded' ? (await findLastAnswer(sql, orgId, runId))?.trim() : undefined
  return { ...row, answer: answer || null }
}
