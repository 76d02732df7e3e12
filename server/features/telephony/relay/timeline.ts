import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { sanitizeText } from '../../../inbound/sanitize.ts'
import type { Ending } from '../calls/call.ts'
import { lockCall } from '../calls/queries.ts'
import { advanceCall, type CallEntry, recordEntry } from '../calls/record.ts'
import { updateEnding } from './relay-queries.ts'

const DETAIL_CHARACTERS_MAX = 500

export const addTimelineEntry = (sql: Sql, orgId: string, callId: string, entry: CallEntry): Promise<void> =>
  inTransaction(sql, async (inside) => {
    if (!(await lockCall(inside, orgId, callId))) return
    const detail = entry.detail ? sanitizeText(entry.detail).slice(0, DETAIL_CHARACTERS_MAX) : null
    await recordEntry(inside, orgId, callId, { ...entry, detail })
  })

export const recordConnection = (
  sql: Sql,
  orgId: string,
  callId: string,
  connection: number,
  at: Date,
): Promise<void> =>
  inTransaction(sql, async (inside) => {
    if (!(await lockCall(inside, orgId, callId))) return
    await advanceCall(inside, orgId, callId, { status: 'in_progress', at })
    const type = connection === 1 ? 'relay.connected' : 'relay.reconnected'
    await recordEntry(inside, orgId, callId, { at, type, key: `relay ${connection}` })
  })

/** `relay-ended` reads it, even if this process ends before informing the carrier. */
export const recordEnding = (
  sql: Sql,
  orgId: string,
  callId: string,
  ending: Ending,
  at: Date,
): Promise<void> =>
  inTransaction(sql, async (inside) => {
    if (!(await lockCall(inside, orgId, callId))) return
    if (await updateEnding(inside, orgId, callId, ending))
      await recordEntry(inside, orgId, callId, { at, type: 'relay.ending', detail: ending.reason })
  })
