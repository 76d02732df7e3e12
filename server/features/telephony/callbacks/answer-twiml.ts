import { createContext, type PublicContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { resolveActingMember } from '../../agents/outside-messages/outside-messages.ts'
import { startBlock } from '../../canvas/agent-blocks/agent-blocks.ts'
import type { CallAction, CallRow } from '../calls/call.ts'
import { lockCall, updateAgent, updateEndReason, updateRun } from '../calls/queries.ts'
import { recordEntry } from '../calls/record.ts'
import { hangUp, say, twiml } from '../carrier/twiml.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallbackNumber } from '../numbers/called-number.ts'
import { recordingVerbs, voicemailTwiml } from '../recordings/recording-twiml.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { sentencesIn } from '../relay/sentences.ts'
import { DEFAULT_ACTION } from '../routing/rule.ts'
import { type AnswerWith, forwardTwiml } from '../transfer/forward.ts'

type AnsweredCall = Pick<CallRow, 'id' | 'from' | 'to' | 'ownerId' | 'ruleId' | 'agentId'> & {
  token?: string | undefined
}

export async function answerTwiml(
  options: TelephonyOptions,
  ctx: PublicContext<'quotas' | 'vault'>,
  number: CallbackNumber,
  call: AnsweredCall,
  action: CallAction,
): Promise<string> {
  const answer = await carryOut(options, ctx, number, call, action)
  if (answer !== null) return answer
  const fallback = action.fallback && (await carryOut(options, ctx, number, call, action.fallback, true))
  return fallback ?? rejection(number, DEFAULT_ACTION)
}

/** Runs after no `forward` target has answered. Null if the fallback can't be carried out. */
export const answerFallback =
  (options: TelephonyOptions): AnswerWith =>
  (ctx, number, call, fallback) =>
    carryOut(options, ctx, number, call, fallback, true)

/** Null if the action can't be carried out. */
async function carryOut(
  options: TelephonyOptions,
  ctx: PublicContext<'quotas' | 'vault'>,
  number: CallbackNumber,
  call: AnsweredCall,
  action: CallAction,
  isFallback = false,
): Promise<string | null> {
  switch (action.type) {
    case 'agent':
      return connectAgent(options, ctx, number, call, action)
    case 'forward':
      return forwardTwiml(options, ctx, call, number, {
        ...action,
        targets: action.targets ?? [],
        isFallback,
      })
    case 'voicemail':
      return voicemailTwiml(options, ctx, call.id, number, action.message)
    case 'workflow':
      return runWorkflow(options, ctx, number, call, action)
    case 'reject':
      return rejection(number, action)
    case undefined:
      return twiml(say(action.message ?? '', number.settings.language), hangUp)
  }
}

async function connectAgent(
  options: TelephonyOptions,
  ctx: PublicContext<'vault'>,
  number: CallbackNumber,
  call: AnsweredCall,
  { agentId, message, record }: CallAction,
): Promise<string> {
  const { orgId, settings } = number
  if (agentId !== undefined && agentId !== call.agentId) await updateAgent(ctx.sql, orgId, call.id, agentId)
  return relayTwiml(options, ctx, { orgId, id: call.id }, number, {
    greeting: message ?? settings.greeting,
    token: call.token,
    before: record ? recordingVerbs(options, ctx, call.id, number) : [],
  })
}

async function runWorkflow(
  options: TelephonyOptions,
  ctx: PublicContext<'quotas'>,
  number: CallbackNumber,
  call: AnsweredCall,
  action: CallAction,
): Promise<string | null> {
  if (!(await startWorkflow(options, ctx, number.orgId, call, action))) return null
  return twiml(say(action.message ?? 'Thank you for your call. Goodbye.', number.settings.language), hangUp)
}

/** The default message is spoken in the number's language. */
function rejection({ settings: { language } }: CallbackNumber, { message }: CallAction): string {
  if (message === undefined) return twiml({ name: 'Reject' })
  const text = message === DEFAULT_ACTION.message ? sentencesIn(language).sorry : message
  return twiml(say(text, language), hangUp)
}

type StartingCall = Pick<CallRow, 'id' | 'from' | 'to' | 'ownerId' | 'ruleId'>

/** Once per call, with the rule owner's current permissions. False if it can't start. */
async function startWorkflow(
  { models }: Pick<TelephonyOptions, 'models'>,
  ctx: PublicContext<'quotas'>,
  orgId: string,
  { id, from, to, ownerId, ruleId }: StartingCall,
  { blockId, projectId }: CallAction,
): Promise<boolean> {
  if (!blockId || !projectId || ownerId === null) return false
  const choices = await models.choices(orgId)
  try {
    return await ctx.transaction(async (inside) => {
      const { sql } = inside
      const call = await lockCall(sql, orgId, id)
      if (!call || call.endedAt !== null) return false
      if (call.runId !== null) return true
      const acting = { userId: ownerId, projectId, credentialId: ruleId ?? id }
      const { caller } = await resolveActingMember(sql, orgId, acting)
      if (caller === null) return false
      const outside = { source: `Call ${id}`, text: `A phone call from ${from} to ${to}` }
      const start = { projectId, blockId, downstream: true, outside }
      const runId = await startBlock(choices, createContext({ ...inside, caller }), start)
      await updateRun(sql, orgId, id, runId)
      await updateEndReason(sql, orgId, id, 'agent_ended')
      await recordEntry(sql, orgId, id, {
        at: ctx.now(),
        type: 'workflow.started',
        detail: runId,
        key: 'workflow',
      })
      return true
    })
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
