import type { Sql } from '../../../database/database.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { claimFairly, type OrganizationClaim, type Queue, waitingIn } from '../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
import type { CallRow } from '../calls/call.ts'
import { storeTransfer, TRANSFERS_CHANNEL } from '../calls/change-transfer.ts'
import { lockCall } from '../calls/queries.ts'
import { isUnderWay, requestTransfer, type Transfer } from '../calls/transfer-states.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { findCallbackNumberById } from '../numbers/called-number.ts'
import { carryOut } from './carry-out.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 8

/** Longer than one carrier request. If a process is killed during one, a caller waits this long. */
const LEASE_MS = 45_000

const TRANSFERS_QUEUE: Queue = { table: 'calls', key: ['id'], due: 'transfer_due_at', indexedBy: 'due' }

export const transferPart = (options: TelephonyOptions): Part => ({
  routes: [],
  start: (runtime) => startTransferWorker(options, runtime),
})

const startTransferWorker = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedTransfer>(runtime, {
    name: 'call transfers',
    channel: TRANSFERS_CHANNEL,
    waiting: waitingIn(TRANSFERS_QUEUE),
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimTransfers(runtime.pool, request),
    run: (claimed) => carryOut(options, runtime.context(), claimed),
  })

interface ClaimedTransfer {
  orgId: string
  id: string
}

export const claimTransfers = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<ClaimedTransfer>(sql, TRANSFERS_QUEUE, claim, {
    lease: sql`transfer_due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.id`,
  })

interface TransferRequest {
  /** Dialed in sequence. */
  targets: readonly string[]
  /** The target hears it first. */
  summary?: string | null
  /** A member. Null: the agent. */
  requestedBy: string | null
  /**
   * The agent finishes speaking, then `relay-ended` holds the caller. Otherwise the carrier takes the caller out
   * immediately.
   */
  isHandedOff?: boolean
}

/** Agent tools have only this part. */
interface StartContext {
  now: () => Date
  transaction: <T>(work: (inside: { sql: Sql }) => Promise<T>) => Promise<T>
}

/**
 * A worker carries it out. Throws CONFLICT if the call can't be transferred now, and BAD_REQUEST with reason
 * `destination_not_allowed` for a target that the number may not call.
 */
export const startTransfer = (
  ctx: StartContext,
  orgId: string,
  callId: string,
  { targets, summary = null, requestedBy, isHandedOff = false }: TransferRequest,
): Promise<Transfer> =>
  ctx.transaction(async ({ sql }) => {
    const call = (await lockCall(sql, orgId, callId)) ?? raise(notFound('Call'))
    const before = requireTransferable(call)
    const number = call.numberId === null ? null : await findCallbackNumberById(sql, call.numberId)
    if (number?.orgId !== orgId) throw conflict('The call’s number is no longer used')
    const refusedTarget = targets.find((target) => !isAllowedDestination(number, number.settings, target))
    if (refusedTarget !== undefined) throw notAllowed(refusedTarget)
    const now = ctx.now()
    const request = { targets, summary, requestedBy, isHandedOff, n: (before?.n ?? 0) + 1 }
    // An earlier transfer's leg may still have to end.
    const after = { ...requestTransfer(request, now), ending: before?.ending ?? [] }
    await storeTransfer(sql, orgId, call, { before, after }, now)
    return after
  })

function requireTransferable(call: CallRow): Transfer | null {
  if (call.status !== 'in_progress' || call.providerId === null)
    throw conflict('The call is not in progress and cannot be transferred')
  if (call.provider !== 'twilio')
    throw conflict('ElevenLabs controls this call: transfer it there, with the agent’s transfer tool')
  const before = call.transfer
  if (before && (isUnderWay(before) || before.state === 'bridged'))
    throw conflict('The call is being transferred')
  if (before?.state === 'failed' && !before.isReturned)
    throw conflict('The call is being transferred: the caller has not returned to the agent yet')
  return before
}

const notAllowed = (target: string) =>
  new ApiError('BAD_REQUEST', `This number isn’t allowed to call ${target}`, {
    details: { reason: 'destination_not_allowed' },
  })
