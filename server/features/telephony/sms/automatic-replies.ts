import type { Sql } from '../../../database/database.ts'
import type { NumberAndPeer } from './message-queries.ts'

/** More replies than a person reads in an hour: the other side is probably a machine. */
const AUTOMATIC_MAX = 30
const WINDOW_MS = 3_600_000

const windowStart = (now: Date) => new Date(now.getTime() - WINDOW_MS)

export const mayAnswer = (
  { automaticReplies, automaticSince }: { automaticReplies: number; automaticSince: string | null },
  now: Date,
): boolean =>
  automaticReplies < AUTOMATIC_MAX ||
  automaticSince === null ||
  Date.parse(automaticSince) <= windowStart(now).getTime()

/** False if there were too many, so it must not be sent. */
export async function consumeAutomaticReply(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
  now: Date,
): Promise<boolean> {
  const isWindowOver = sql`automatic_since is null or automatic_since <= ${windowStart(now)}`
  const { count } = await sql`
    update sms_conversations set
      automatic_replies = case when ${isWindowOver} then 1 else automatic_replies + 1 end,
      automatic_since = case when ${isWindowOver} then ${now}::timestamptz else automatic_since end
    where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer}
      and (automatic_replies < ${AUTOMATIC_MAX} or ${isWindowOver})`
  return count === 1
}

/** A member's message shows that a person takes part. */
export const resetAutomatic = (sql: Sql, orgId: string, { numberId, peer }: NumberAndPeer) => sql`
  update sms_conversations set automatic_replies = 0, automatic_since = null
  where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer}`

/** Messages wait until a member resumes it. */
export const updatePaused = (sql: Sql, orgId: string, { numberId, peer }: NumberAndPeer, now: Date) => sql`
  update sms_conversations set paused_at = coalesce(paused_at, ${now}), due_at = null
  where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer}`

export const updateResumed = (sql: Sql, orgId: string, { numberId, peer }: NumberAndPeer, now: Date) => sql`
  update sms_conversations set paused_at = null, automatic_replies = 0, automatic_since = null, due_at = ${now}
  where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer} and paused_at is not null`
