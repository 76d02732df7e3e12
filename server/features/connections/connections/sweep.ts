import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'

const FAILED_MS = 86_400_000

/** Fails lapsed pending connections, deletes them a day later, and deletes unneeded tokens. */
export async function sweepConnections({ sql, now }: JobContext): Promise<void> {
  const at = now()
  await lapsePending(sql, at)
  await deleteFailed(sql, new Date(at.getTime() - FAILED_MS))
  await deletePreviousTokens(sql, at)
}

const lapsePending = (sql: Sql, now: Date) => sql`
  update connections set status = 'failed', status_reason = 'It was not completed within 30 minutes',
    version = version + 1, updated_at = ${now}
  where status = 'pending' and pending_until <= ${now}`

const deleteFailed = (sql: Sql, before: Date) => sql`
  delete from connections where status = 'failed' and pending_until < ${before}`

/** A refresh keeps the previous token for a while, for calls that already started with it. */
const deletePreviousTokens = (sql: Sql, now: Date) => sql`
  update connection_secrets set previous_sealed = null, previous_until = null where previous_until <= ${now}`
