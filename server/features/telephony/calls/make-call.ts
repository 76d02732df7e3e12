import type { InputOf } from '../../../../contract/endpoint.ts'
import type { calls } from '../../../../contract/telephony/calls.ts'
import { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { Context } from '../../../context.ts'
import { ApiError, badField, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { findAgent } from '../../agents/agents/agents.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import { publicBase } from '../carrier/urls.ts'
import { requireBudget } from '../costs/budget.ts'
import { estimateLeg } from '../costs/prices.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallAction } from './call-queries.ts'
import { findCallingNumber } from './caller-queries.ts'
import { requestCallJob } from './jobs.ts'
import { getCall } from './read-calls.ts'
import { insertCall } from './write-queries.ts'

const FIRST_MINUTE_S = 60

type Input = InputOf<typeof calls.create>

/**
 * Stores a call, and requests it from the carrier after the commit. If the process is killed in between, a worker
 * requests the call; if the response is lost, the statuses of the call show that it was made.
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
  new ApiError('BAD_REQUEST', `Calls of this number may not go to ${to}: see the settings of the number`, {
    details: { reason: 'destination_not_allowed' },
  })
