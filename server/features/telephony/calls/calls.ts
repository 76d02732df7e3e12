import type { InputOf } from '../../../../contract/endpoint.ts'
import { calls as contract } from '../../../../contract/telephony/calls.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { whisper } from '../relay/whisper.ts'
import { startTransfer } from '../transfer/start-transfer.ts'
import { referOpenAi } from '../voice-agents/openai/control-call.ts'
import { hangUpCall } from './hang-up.ts'
import { requestCallJob, sweepJob } from './jobs.ts'
import { makeCall } from './make-call.ts'
import { findCallFor, getCall, listCalls } from './read-calls.ts'
import { requestCall } from './request-call.ts'
import { sweepCalls } from './sweep.ts'

export const callsPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, listCalls),
    handle(contract.get, getCall),
    handle(contract.create, makeCall(options)),
    handle(contract.hangUp, hangUpCall(options)),
    handle(contract.transfer, transferCall(options)),
    handle(contract.whisper, whisperTo(options)),
  ],
  jobs: [onJob(requestCallJob, requestCall(options)), onJob(sweepJob, sweepCalls(options))],
  schedules: [{ job: sweepJob, cron: '* * * * *' }],
})

const whisperTo =
  (options: TelephonyOptions) =>
  async (ctx: Context, { id, message }: InputOf<typeof contract.whisper>) => {
    await whisper(options, ctx, await findCallFor(ctx, id, 'edit'), message)
    return getCall(ctx, { id })
  }

const transferCall =
  (options: TelephonyOptions) =>
  async (ctx: Context, { id, ...request }: InputOf<typeof contract.transfer>) => {
    const { orgId, userId } = ctx.caller
    const call = await findCallFor(ctx, id, 'edit')
    const requested = { ...request, requestedBy: userId }
    if (call.provider === 'openai') await referOpenAi(options, ctx, orgId, call, requested)
    else await startTransfer(ctx, orgId, id, requested)
    return getCall(ctx, { id })
  }
