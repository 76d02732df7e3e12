import type { PublicContext } from '../../../context.ts'
import type { CallbackNumber } from '../callbacks/callback.ts'
import { hangUp, say, twiml } from '../carrier/twiml.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { recordingVerbs } from '../recordings/notice.ts'
import { voicemailTwiml } from '../recordings/voicemail-twiml.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { sentencesIn } from '../relay/sentences.ts'
import { DEFAULT_ACTION } from '../routing/rule.ts'
import type { AnswerWith } from '../transfer/dial-ended.ts'
import { forwardTwiml } from '../transfer/forward-twiml.ts'
import type { CallAction, CallRow } from './call-queries.ts'
import { startWorkflow } from './start-workflow.ts'
import { updateAgent } from './write-queries.ts'

type AnsweredCall = Pick<CallRow, 'id' | 'from' | 'to' | 'ownerId' | 'ruleId' | 'agentId'> & {
  /** The token of its conversation, if it was stored with the call. */
  token?: string | undefined
}

/** The TwiML of a call: the action, or its fallback if the action cannot be carried out. */
export async function answerTwiml(
  options: TelephonyOptions,
  ctx: PublicContext,
  number: CallbackNumber,
  call: AnsweredCall,
  action: CallAction,
): Promise<string> {
  const answer = await carryOut(options, ctx, number, call, action)
  if (answer !== null) return answer
  const fallback = action.fallback && (await carryOut(options, ctx, number, call, action.fallback, true))
  return fallback ?? rejection(number, DEFAULT_ACTION)
}

/** Carries out the fallback after no target of `forward` has answered. Null if the fallback cannot be carried out. */
export const answerFallback =
  (options: TelephonyOptions): AnswerWith =>
  (ctx, number, call, fallback) =>
    carryOut(options, ctx, number, call, fallback, true)

/** Null if the action cannot be carried out. */
async function carryOut(
  options: TelephonyOptions,
  ctx: PublicContext,
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
      // An outbound call that reads out a message.
      return twiml(say(action.message ?? '', number.settings.language), hangUp)
  }
}

/** Connects a call with an agent, also after another action that could not be carried out. */
async function connectAgent(
  options: TelephonyOptions,
  ctx: PublicContext,
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
  ctx: PublicContext,
  number: CallbackNumber,
  call: AnsweredCall,
  action: CallAction,
): Promise<string | null> {
  if (!(await startWorkflow(options, ctx, number.orgId, call, action))) return null
  return twiml(say(action.message ?? 'Thank you for your call. Goodbye.', number.settings.language), hangUp)
}

/** The default message is spoken in the language of the number. */
function rejection({ settings: { language } }: CallbackNumber, { message }: CallAction): string {
  if (message === undefined) return twiml({ name: 'Reject' })
  const text = message === DEFAULT_ACTION.message ? sentencesIn(language).sorry : message
  return twiml(say(text, language), hangUp)
}
