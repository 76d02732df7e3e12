import type { Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'

export const SESSION_CHANNEL = 'atrium_sessions'

/** Wakes streams in every process after the commit. If a notification is lost, they read at the next heartbeat. */
export const announceSession = (sql: Sql, orgId: string, sessionId: string): void =>
  notify(sql, SESSION_CHANNEL, JSON.stringify({ orgId, sessionId }))
