import type { Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'

/** Sessions that have changed, or have new messages. */
export const SESSION_CHANNEL = 'atrium_sessions'

/**
 * Wakes the streams of a session in every process after the commit; if a notification is lost, they read at their
 * heartbeat.
 */
export const announceSession = (sql: Sql, orgId: string, sessionId: string): void =>
  notify(sql, SESSION_CHANNEL, JSON.stringify({ orgId, sessionId }))
