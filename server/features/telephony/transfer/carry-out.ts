import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import type { CallRow } from '../calls/call.ts'
import { changeTransfer } from '../calls/change-transfer.ts'
import { farewell } from '../calls/phrases.ts'
import { findCall, updateEndReason } from '../calls/queries.ts'
import {
  MISSES,
  nextWork,
  type Transfer,
  type TransferEvent,
  type TransferWork,
} from '../calls/transfer-states.ts'
import type { Carrier, CarrierResult } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { type CallbackNumber, findCallbackNumberById } from '../numbers/called-number.ts'
import { deliver } from '../relay/deliver.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { holdTwiml } from './transfer-twiml.ts'

const RING_S = 20
/** Then a leg that couldn't be ended counts as ended. */
const ENDING_MAX_MS = 600_000
const OPEN_STATUSES = ['queued', 'initiated', 'ringing', 'in-progress']

interface WorkContext {
  options: TelephonyOptions
  ctx: JobContext<'vault'>
  orgId: string
  call: CallRow
  transfer: Transfer
  number: CallbackNumber
  carrier: Carrier
}

export async function carryOut(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  const change = (event: TransferEvent) => changeTransfer(ctx.sql, orgId, id, event, ctx.now())
  const call = await findCall(ctx.sql, orgId, id)
  const transfer = call?.transfer
  if (!transfer) return
  const work = nextWork(transfer)
  if (call.endedAt !== null && work?.type !== 'end_leg') return void (await change({ type: 'caller_left' }))
  const isLost = transfer.deadline !== null && new Date(transfer.deadline) <= ctx.now()
  // Even without a change, an event stores the next due time.
  if (!work) return void (await change(isLost ? { type: 'timeout' } : { type: 'leg_ended', leg: '' }))
  const numberAndCarrier = await open(options, ctx, orgId, call)
  if (!numberAndCarrier) return void (await change(eventWithoutCarrier(work)))
  const event = await perform({ options, ctx, orgId, call, transfer, ...numberAndCarrier }, work)
  if (event) await change(event)
}

/** Null if the number or its account can no longer be used. */
async function open(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  orgId: string,
  call: CallRow,
) {
  const number = call.numberId === null ? null : await findCallbackNumberById(ctx.sql, call.numberId)
  if (number?.orgId !== orgId) return null
  try {
    return { number, carrier: await openCarrier(options, ctx, orgId, number.connectionId) }
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function eventWithoutCarrier(work: TransferWork): TransferEvent {
  if (work.type === 'hold') return { type: 'hold_failed' }
  if (work.type === 'dial') return { type: 'dial_failed', dial: work.dial }
  if (work.type === 'end_leg') return { type: 'leg_ended', leg: work.leg }
  return { type: work.type === 'return' ? 'returned' : 'caller_present' }
}

/** Null if another event reports the result. */
async function perform(context: WorkContext, work: TransferWork): Promise<TransferEvent | null> {
  const { options, ctx, call, transfer, number, carrier } = context
  switch (work.type) {
    case 'hold': {
      const held = await carrier.redirectCall(
        call.providerId!,
        holdTwiml(options, ctx, call.id, number, transfer),
      )
      return { type: held.ok ? 'held' : 'hold_failed' }
    }
    case 'dial':
      return dial(context, work)
    case 'find_caller': {
      const found = await carrier.readCall(call.providerId!)
      const hasLeft = found.ok && !OPEN_STATUSES.includes(found.value?.status ?? '')
      return { type: hasLeft ? 'caller_left' : 'caller_present' }
    }
    case 'return':
      await returnCaller(options, ctx, context.orgId, { call, transfer, number, carrier })
      return null
    case 'end_leg': {
      const ended = await carrier.endCall(work.leg)
      return mayRetry(ended, transfer, ctx.now())
        ? throwForRetry(ended)
        : { type: 'leg_ended', leg: work.leg }
    }
  }
}

/**
 * Stores the intention first, so a target is never dialed twice, even if the process is killed. After a lost response,
 * callbacks show whether it was dialed.
 */
async function dial(
  { options, ctx, orgId, call, number, carrier }: WorkContext,
  { dial, to }: Extract<TransferWork, { type: 'dial' }>,
): Promise<TransferEvent | null> {
  const changed = await changeTransfer(ctx.sql, orgId, call.id, { type: 'dialing', dial }, ctx.now())
  const expected = changed && nextWork(changed.before)
  if (expected?.type !== 'dial' || expected.dial !== dial) return null
  const base = publicBase(options, ctx)
  const query = { number: number.id, call: call.id, dial }
  const placed = await carrier.placeCall({
    from: number.e164,
    to,
    answer: { url: callbackUrl(base, 'transfer-target', query) },
    statusUrl: callbackUrl(base, 'outbound-target-status', query),
    timeoutSeconds: RING_S,
    detectsMachines: true,
  })
  if (placed.ok) return { type: 'dialed', dial, leg: placed.value.providerId }
  return placed.failure.isRefused ? { type: 'dial_failed', dial } : null
}

const mayRetry = (ended: CarrierResult<null>, { at }: Transfer, now: Date) =>
  !ended.ok && !ended.failure.isRefused && now.getTime() - Date.parse(at) < ENDING_MAX_MS

/** The transfer's lease ends, and another attempt follows. */
function throwForRetry(ended: CarrierResult<null>): never {
  throw new Error(`A target’s leg could not be ended: ${ended.ok ? '' : ended.failure.message}`)
}

interface ReturnedCall {
  call: CallRow
  transfer: Transfer
  number: CallbackNumber
  carrier: Carrier
}

/**
 * Without an agent, the caller hears that nobody is available. After a crash, the caller is connected again, but the
 * message is stored once.
 */
async function returnCaller(
  options: TelephonyOptions,
  ctx: JobContext<'vault'>,
  orgId: string,
  { call, transfer, number, carrier }: ReturnedCall,
): Promise<void> {
  const hasAgent = call.agentId !== null && call.ownerId !== null
  const twiml = hasAgent
    ? await relayTwiml(options, ctx, { orgId, id: call.id }, number)
    : farewell('unavailable', number)
  const redirected = await carrier.redirectCall(call.providerId!, twiml)
  const choices = await options.models.choices(orgId)
  await ctx.transaction(async (inside) => {
    const { sql } = inside
    const changed = await changeTransfer(sql, orgId, call.id, { type: 'returned' }, ctx.now())
    if (!changed || changed.before.isReturned || changed.after.state !== 'failed') return
    if (!hasAgent) await updateEndReason(sql, orgId, call.id, 'no_answer')
    else if (redirected.ok) await notifyAgent(choices, inside, { ...changed.call, orgId }, transfer)
  })
}

/** Uses the call's member's current permissions. Without them, the caller's next sentence ends the conversation. */
async function notifyAgent(
  models: ModelChoices,
  ctx: JobContext,
  call: CallRow & { orgId: string },
  { targets, reason }: Transfer,
): Promise<void> {
  const text = `[The call transfer to ${targets.join(', ')} did not succeed: ${MISSES[reason ?? 'failed']}. The other person on the call is on the line with you again: inform them, and continue.]`
  const message = { text, body: text, authorId: null }
  await deliver(models, ctx, call, message, { connection: null, interruption: null })
}
