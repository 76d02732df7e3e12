import type { Sql } from '../../../database/database.ts'
import { inTransaction, notify } from '../../../database/transaction.ts'
import { publishIn } from '../../../events/publish.ts'
import type { CallRow } from './call.ts'
import { lockCall, updateEndReason } from './queries.ts'
import { recordEntry } from './record.ts'
import {
  isUnderWay,
  MISSES,
  nextWork,
  stepTransfer,
  type Transfer,
  type TransferEvent,
} from './transfer-states.ts'

export const TRANSFERS_CHANNEL = 'atrium_transfers'

export interface ChangedTransfer {
  call: CallRow
  before: Transfer
  after: Transfer
}

/** The worker carries out its effects. Returns null if the call has no transfer. */
export const changeTransfer = (
  sql: Sql,
  orgId: string,
  callId: string,
  event: TransferEvent,
  now: Date,
): Promise<ChangedTransfer | null> =>
  inTransaction(sql, async (inside) => {
    const call = await lockCall(inside, orgId, callId)
    const before = call?.transfer
    if (!before) return null
    const current = call.endedAt === null ? before : stepTransfer(before, { type: 'caller_left' }, now)
    const after = stepTransfer(current, event, now)
    await storeTransfer(inside, orgId, call, { before, after }, now)
    return { call, before, after }
  })

/** The caller must hold the call's lock. `before` is null for a new transfer. */
export async function storeTransfer(
  sql: Sql,
  orgId: string,
  { id, projectId }: Pick<CallRow, 'id' | 'projectId'>,
  { before, after }: { before: Transfer | null; after: Transfer },
  now: Date,
): Promise<void> {
  const dueAt = nextWork(after) ? now : after.deadline && new Date(after.deadline)
  await updateTransfer(sql, orgId, id, after, dueAt || null)
  const entries = entriesOf(before, after)
  for (const entry of entries) await recordEntry(sql, orgId, id, { at: now, ...entry })
  if (after.state === 'bridged' && before?.state !== 'bridged')
    await updateEndReason(sql, orgId, id, 'transferred')
  if (entries.length > 0)
    await publishIn(sql, orgId, now, {
      type: 'call.updated',
      data: { callId: id, projectId, transfer: after.state },
    })
}

/** Due now if there is work, otherwise when a missing callback counts as lost. */
async function updateTransfer(
  sql: Sql,
  orgId: string,
  callId: string,
  transfer: Transfer,
  dueAt: Date | null,
): Promise<void> {
  await sql`
    update calls set transfer = ${sql.json(transfer as never)}, transfer_due_at = ${dueAt}
    where org_id = ${orgId} and id = ${callId}`
  notify(sql, TRANSFERS_CHANNEL)
}

export async function endTransfer(
  sql: Sql,
  orgId: string,
  { id, transfer }: Pick<CallRow, 'id' | 'transfer'>,
  now: Date,
) {
  if (transfer && (isUnderWay(transfer) || transfer.state === 'bridged' || transfer.state === 'failed'))
    await changeTransfer(sql, orgId, id, { type: 'caller_left' }, now)
}

function entriesOf(before: Transfer | null, after: Transfer): { type: string; detail: string | null }[] {
  const isSame = before?.state === after.state && before.index === after.index && before.n === after.n
  if (isSame) return []
  const isMissed =
    before !== null && before.n === after.n && (after.index > before.index || after.state === 'failed')
  const reason = after.reason && MISSES[after.reason]
  const missed = isMissed ? [{ type: 'transfer.missed', detail: `${before.target}: ${reason}` }] : []
  const detail = after.state === 'failed' ? reason : after.state === 'ended' ? null : after.target
  return [...missed, { type: `transfer.${after.state}`, detail }]
}
