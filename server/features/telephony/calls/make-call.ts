import { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { calls } from '../../../../contract/telephony/calls.ts'
import { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { Context, JobContext } from '../../../context.ts'
import { ApiError, badField, raise } from '../../../errors.ts'
import { job } from '../../../jobs/job.ts'
import { newId } from '../../../security/ids.ts'
import { findAgent } from '../../agents/agents/agents.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import { requireBudget } from '../costs/budget.ts'
import { estimateLeg } from '../costs/prices.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallAction, CallRow } from './call.ts'
import {
  claimRequest,
  findAccount,
  findCall,
  findCallingNumber,
  insertCall,
  lockCall,
  updateProviderId,
} from './queries.ts'
import { getCall } from './read-calls.ts'
import { recordEntry } from './record.ts'
import { applyReport } from './reports.ts'

const FIRST_MINUTE_S = 60
const RING_S = 45

/** Longer than a carrier request can take, so none is still running when another process checks. */
export const CHECK_AFTER_MS = 60_000

const CallJob = z.object({ orgId: z.uuid(), callId: z.uuid() })

export const requestCallJob = job('telephony.request-call', CallJob)

type Input = InputOf<typeof calls.create>

/**
 * Requests the call after the commit. If the process is killed in between, a worker requests it. After a lost response,
 * the call's statuses show that it was made.
 */
export const makeCall = (options: TelephonyOptions) => (ctx: Context, input: Input) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId, userId } = caller
    publicBase(options, ctx)
    if (input.agentId !== undefined) await requireAgent(inside, input.agentId)
    const number = (await findCallingNumber(sql, caller, input.from)) ?? raise(noNumber(input.from))
    const settings = NumberSettings.parse(number.settings)
    if (!isAllowedDestination(number, settings, input.to)) throw notAllowed(input.to)
    const [id, now] = [newId(), ctx.now()]
    const keyId = caller.via === 'key' ? caller.credentialId : null
    const agentId = input.agentId ?? null
    await insertCall(sql, orgId, {
      ...{
        id,
        direction: 'outbound',
        providerId: null,
        numberId: number.id,
        from: number.e164,
        to: input.to,
      },
      ...{
        projectId: number.projectId,
        ownerId: userId,
        ruleId: null,
        action: actionOf(input),
        status: 'queued',
      },
      ...{ agentId, createdBy: userId, keyId, now },
    })
    const payer = { projectId: number.projectId, agentId, userId, keyId }
    const amount = estimateLeg('outbound', input.to, FIRST_MINUTE_S)
    await requireBudget(inside, orgId, payer, { subjectId: id, amount })
    await inside.enqueue(requestCallJob, { orgId, callId: id })
    return getCall(inside, { id })
  })

const actionOf = ({ agentId, message, task }: Input): CallAction => ({
  ...(agentId !== undefined && { type: 'agent' as const, agentId }),
  ...(message !== undefined && { message }),
  ...(task !== undefined && { task }),
})

async function requireAgent({ sql, caller }: Context, id: string): Promise<void> {
  const agent = await findAgent(sql, caller.orgId, id)
  if (!agent) throw badField('body.agentId', 'does not exist')
  if (agent.archivedAt) throw badField('body.agentId', 'is archived: unarchive it, or choose another one')
}

const noNumber = (from: string | undefined) =>
  new ApiError(
    'BAD_REQUEST',
    from === undefined
      ? 'No project that you can edit has a phone number for calls: ask an admin to import one'
      : `${from} is not a phone number for calls in a project that you can edit`,
    { details: { reason: 'no_number' } },
  )

const notAllowed = (to: string) =>
  new ApiError('BAD_REQUEST', `This number isn’t allowed to call ${to}. Check its settings.`, {
    details: { reason: 'destination_not_allowed' },
  })

/** After a lost response or a killed worker, the carrier reports the call or `recoverRequest` finds it. */
export const requestCall =
  (options: TelephonyOptions) =>
  async (
    ctx: JobContext<'outbound' | 'vault'>,
    { orgId, callId }: { orgId: string; callId: string },
  ): Promise<void> => {
    const call = await findCall(ctx.sql, orgId, callId)
    if (!call || call.endedAt !== null || call.requestedAt !== null) return
    const account = call.numberId && (await findAccount(ctx.sql, orgId, call.numberId))
    if (!account) return fail(ctx, orgId, call, 'The number no longer exists')
    try {
      const carrier = await openCarrier(options, ctx, orgId, account.connectionId)
      await callThroughCarrier(options, ctx, orgId, call, carrier)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await fail(ctx, orgId, call, error.message)
    }
  }

/** Only one process sends the request, even if several read the same state. */
export async function callThroughCarrier(
  options: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  call: CallRow,
  carrier: Carrier,
): Promise<void> {
  const base = publicBase(options, ctx)
  const query = { number: call.numberId!, call: call.id }
  const now = ctx.now()
  const claim = { before: call.requestedAt, now, checkAt: new Date(now.getTime() + CHECK_AFTER_MS) }
  if (!(await claimRequest(ctx.sql, orgId, call.id, claim))) return
  const placed = await carrier.placeCall({
    from: call.from,
    to: call.to,
    answer: { url: callbackUrl(base, 'voice', query) },
    statusUrl: callbackUrl(base, 'status', query),
    timeoutSeconds: RING_S,
  })
  if (placed.ok) await updateProviderId(ctx.sql, orgId, call.id, placed.value.providerId)
  // A request that may have been carried out leaves the call as it is.
  else if (placed.failure.isRefused) await fail(ctx, orgId, call, placed.failure.message)
}

export const fail = (ctx: JobContext, orgId: string, { id }: CallRow, detail: string): Promise<void> =>
  ctx.transaction(async ({ sql }) => {
    const call = await lockCall(sql, orgId, id)
    if (!call || call.endedAt !== null) return
    const at = ctx.now()
    await recordEntry(sql, orgId, id, { at, type: 'carrier.failed', detail, key: 'carrier.failed' })
    await applyReport(sql, orgId, call, { status: 'failed', sequence: null, durationSeconds: null, at })
  })
