import { setTimeout as sleep } from 'node:timers/promises'
import { type CallEnd, TELEPHONY_LIMITS } from '../../../../../contract/telephony/telephony-options.ts'
import type { JobContext } from '../../../../context.ts'
import { notify } from '../../../../database/transaction.ts'
import { splitModelId } from '../../../../language-models/provider.ts'
import { allowedCallTools } from '../../../../tools/call-tools.ts'
import { type AgentRow, findAgent } from '../../../agents/agents/agents.ts'
import { openCallGrant } from '../../../mcp/connected-apps/connected-apps.ts'
import type { CallRow } from '../../calls/call.ts'
import { findCall, lockCall } from '../../calls/queries.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { reserveCost } from '../../costs/budget.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { contextOfOwner } from '../named-agent.ts'
import { findVoiceAgent } from '../voice-agent-queries.ts'
import { buildInstructions, callExpires, publishCall } from '../voice-calls.ts'
import { type ApiResult, requestOpenAi } from './api.ts'
import { estimatePrice, recordEnd } from './control-call.ts'
import { updateWatched, WATCH_CHANNEL } from './watch-queries.ts'

/** SIP: declined. */
const DECLINE = { status_code: 603 }
/** The caller hears ringing between attempts. */
const PAUSES_MS = [300, 900]

interface Job {
  orgId: string
  callId: string
}

/** The voice gets the agent's prompt and, for this call, read-only tools. */
export const answerCall =
  (options: TelephonyOptions) =>
  async (ctx: JobContext<'objects' | 'outbound' | 'quotas'>, { orgId, callId }: Job): Promise<void> => {
    const call = await findCall(ctx.sql, orgId, callId)
    if (call?.status !== 'ringing' || call.providerId === null) return
    const plan = await planAnswer(ctx, orgId, call)
    if ('reject' in plan) return reject(options, ctx, orgId, call, plan)
    const prepared = await prepare(ctx, orgId, call, plan.agent)
    if ('reject' in prepared) return reject(options, ctx, orgId, call, prepared)
    const body = acceptanceOf(options, plan.agent, prepared.token)
    const result = await withRetries(() =>
      requestOpenAi(options, ctx, orgId, { callId: call.providerId!, action: 'accept', body }),
    )
    if (result.ok) return startCall(ctx, orgId, callId)
    // OpenAI may have accepted the call, which must not continue without a record here.
    if (!result.isRefused || prepared.isRepeated)
      await requestOpenAi(options, ctx, orgId, { callId: call.providerId, action: 'hangup' })
    await recordEnd(ctx, orgId, callId, {
      status: 'failed',
      endReason: 'carrier_failed',
      detail: result.message,
    })
  }

export const rejectUnknown =
  (options: TelephonyOptions) =>
  async (ctx: JobContext<'outbound'>, { providerId: callId }: { providerId: string }): Promise<void> => {
    await withRetries(() => requestOpenAi(options, ctx, null, { callId, action: 'reject', body: DECLINE }))
  }

type Rejection = { reject: CallEnd; detail?: string }

async function planAnswer(
  ctx: JobContext<'objects' | 'quotas'>,
  orgId: string,
  call: CallRow,
): Promise<{ agent: AgentRow } | Rejection> {
  if (call.action.type !== 'agent') return { reject: call.ruleId === null ? 'no_rule' : 'rejected' }
  const voiceAgent = call.voiceAgentId && (await findVoiceAgent(ctx.sql, orgId, call.voiceAgentId))
  if (!voiceAgent) return { reject: 'rejected', detail: 'The voice agent was removed.' }
  if (!(await contextOfOwner(ctx, voiceAgent))) return { reject: 'access_lost' }
  const agent = await findAgent(ctx.sql, orgId, voiceAgent.agentId)
  if (!agent || agent.archivedAt !== null) return { reject: 'agent_failed', detail: 'The agent is archived.' }
  return { agent }
}

/** Must finish before the request to OpenAI. */
const prepare = (
  ctx: JobContext,
  orgId: string,
  { id, projectId, agentId, ownerId }: CallRow,
  { settings }: AgentRow,
) =>
  ctx.transaction(async ({ sql }): Promise<{ token: string; isRepeated: boolean } | Rejection> => {
    const call = await lockCall(sql, orgId, id)
    if (call?.status !== 'ringing' || ownerId === null) return { reject: 'rejected' }
    const now = ctx.now()
    const payer = { projectId, agentId, userId: ownerId }
    const planned = { subjectId: id, amount: estimatePrice(60) }
    const refusal = await reserveCost(sql, orgId, payer, planned, now)
    if (refusal !== null) return { reject: 'budget', detail: refusal }
    const isFirst = await recordEntry(sql, orgId, id, { key: 'openai:accepting', at: now, type: 'accepting' })
    const grant = {
      callId: id,
      projectId,
      tools: allowedCallTools(settings),
      userId: ownerId,
      host: HOST,
      now,
    }
    return { token: await openCallGrant(sql, orgId, grant), isRepeated: !isFirst }
  })

async function reject(
  options: TelephonyOptions,
  ctx: JobContext<'outbound'>,
  orgId: string,
  { id, providerId }: CallRow,
  { reject: endReason, detail }: Rejection,
): Promise<void> {
  const request = { callId: providerId!, action: 'reject', body: DECLINE } as const
  const result = await withRetries(() => requestOpenAi(options, ctx, orgId, request))
  const problem = result.ok ? null : result.message
  await recordEnd(ctx, orgId, id, { status: 'rejected', endReason, detail: detail ?? problem })
}

const startCall = (ctx: JobContext, orgId: string, callId: string) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    const call = await lockCall(sql, orgId, callId)
    if (!call) return
    await advanceCall(sql, orgId, callId, { status: 'in_progress', at })
    await recordEntry(sql, orgId, callId, { key: 'openai:accepted', at, type: 'in_progress' })
    await updateWatched(sql, orgId, callId, at)
    notify(sql, WATCH_CHANNEL)
    await publishCall(inside, orgId, 'call.updated', call, 'in_progress')
    const runAt = new Date(at.getTime() + TELEPHONY_LIMITS.callMinutesDefault * 60_000)
    await inside.enqueue(callExpires, { orgId, callId }, { runAt })
  })

async function withRetries(request: () => Promise<ApiResult>): Promise<ApiResult> {
  let result = await request()
  for (const pause of PAUSES_MS) {
    if (result.ok || result.isRefused) return result
    await sleep(pause)
    result = await request()
  }
  return result
}

/** The grantee's name, as members see it. */
const HOST = 'api.openai.com'

const MODEL = 'gpt-realtime'
const VOICE = 'marin'

/** Must contain nothing the caller sends. */
function acceptanceOf(
  { publicUrl }: Pick<TelephonyOptions, 'publicUrl'>,
  agent: AgentRow,
  token: string,
): object {
  return {
    type: 'realtime',
    model: modelOf(agent),
    instructions: buildInstructions(agent),
    audio: { output: { voice: VOICE } },
    // OpenAI can only reach a public server.
    tools: publicUrl === null ? [] : [toolsOf(publicUrl, agent, token)],
  }
}

/** Read-only: no member can approve anything during an OpenAI call. */
const toolsOf = (publicUrl: string, { settings }: AgentRow, token: string) => ({
  type: 'mcp',
  server_label: 'atrium',
  server_url: `${publicUrl}/mcp`,
  authorization: token,
  allowed_tools: allowedCallTools(settings),
  require_approval: 'never',
})

/** Falls back if the agent's model can't speak. */
function modelOf({ settings }: AgentRow): string {
  const parts = settings.model === null ? null : splitModelId(settings.model)
  return parts?.providerId === 'openai' && parts.model.startsWith('gpt-realtime') ? parts.model : MODEL
}
