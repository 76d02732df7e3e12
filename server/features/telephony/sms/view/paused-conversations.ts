import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isProjectVisible } from '../../../projects/access/access.ts'

const PAUSED_MAX = 20

/** The conversations that wait until a member resumes them, as problems of the overview. */
export async function listPausedProblems(sql: Sql, caller: Caller) {
  const rows = await sql<{ numberId: string; e164: string; peer: string; pausedAt: string }[]>`
    select c.number_id as "numberId", n.e164, c.peer, c.paused_at as "pausedAt"
    from sms_conversations c join phone_numbers n on n.org_id = c.org_id and n.id = c.number_id
    where c.org_id = ${caller.orgId} and c.paused_at is not null
      and ${isProjectVisible(sql, caller, sql`c.project_id`)}
    order by c.paused_at desc limit ${PAUSED_MAX}`
  return rows.map(({ numberId, e164, peer, pausedAt }) => ({
    kind: 'paused_sms' as const,
    message: `The conversation of ${e164} with ${peer} is paused after many automatic answers in an hour`,
    target: numberId,
    since: pausedAt,
  }))
}
