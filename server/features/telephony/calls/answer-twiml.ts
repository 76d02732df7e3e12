import type { PublicContext } from '../../../context.ts'
import type { CalledNumber } from '../callbacks/callback.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import { hangUp, say, twiml, type Verb } from '../carrier/twiml.ts'
import { callbackUrl, publicBase } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { sentencesIn } from '../relay/sentences.ts'
import { DEFAULT_ACTION } from '../routing/rule.ts'
import type { CallAction, CallRow } from './call-queries.ts'
import { startWorkflow } from './start-workflow.ts'

type Answered = Pick<CallRow, 'id' | 'from' | 'to' | 'direction' | 'ownerId' | 'ruleId' | 'runId'>

/** What the carrier does with a call: the action, or its fallback if the action cannot be carried out. */
export async function answerTwiml(
  options: TelephonyOptions,
  ctx: PublicContext,
  number: CalledNumber,
  call: Answered,
  action: CallAction,
): Promise<string> {
  const answer = await carryOut(options, ctx, number, call, action)
  if (answer !== null) return answer
  const fallback = action.fallback && (await carryOut(options, ctx, number, call, action.fallback))
  return fallback ?? rejection(number, DEFAULT_ACTION)
}

/** Null if the action cannot be carried out. */
async function carryOut(
  options: TelephonyOptions,
  ctx: PublicContext,
  number: CalledNumber,
  call: Answered,
  action: CallAction,
): Promise<string | null> {
  const { orgId, settings } = number
  switch (action.type) {
    case 'agent':
      return relayTwiml(options, ctx, { orgId, id: call.id }, number, {
        greeting: action.message ?? settings.greeting,
      })
    case 'forward':
      return forward(options, ctx, number, call, action)
    case 'voicemail':
      return voicemail(options, ctx, number, call, action)
    case 'workflow':
      return workflow(options, ctx, number, call, action)
    case 'reject':
      return rejection(number, action)
    case undefined:
      // An outbound call that reads out a message.
      return twiml(say(action.message ?? '', settings.language), hangUp)
  }
}

/** Dials the first target that calls of the number may go to. */
function forward(
  options: TelephonyOptions,
  ctx: PublicContext,
  number: CalledNumber,
  call: Answered,
  { targets = [], message }: CallAction,
): string | null {
  const at = targets.findIndex((target) => isAllowedDestination(number, number.settings, target))
  if (at === -1) return null
  const place = { number: number.id, call: call.id, target: String(at) }
  const attributes = {
    timeout: 20,
    answerOnBridge: true,
    action: callbackUrl(publicBase(options, ctx), 'dial-ended', place),
  }
  const dial: Verb = { name: 'Dial', attributes, children: [{ name: 'Number', children: [targets[at]!] }] }
  return twiml(...(message === undefined ? [] : [say(message, number.settings.language)]), dial)
}

function voicemail(
  options: TelephonyOptions,
  ctx: PublicContext,
  number: CalledNumber,
  call: Answered,
  { message = 'Please leave a message after the tone.' }: CallAction,
): string {
  const url = callbackUrl(publicBase(options, ctx), 'recording', { number: number.id, call: call.id })
  const attributes = {
    maxLength: 180,
    playBeep: true,
    action: `${url}&step=ended`,
    recordingStatusCallback: url,
  }
  return twiml(say(message, number.settings.language), { name: 'Record', attributes })
}

async function workflow(
  options: TelephonyOptions,
  ctx: PublicContext,
  number: CalledNumber,
  call: Answered,
  action: CallAction,
): Promise<string | null> {
  if (!(await startWorkflow(options, ctx, number.orgId, call, action))) return null
  return twiml(say(action.message ?? 'Thank you for your call. Goodbye.', number.settings.language), hangUp)
}

/** The words of the default are in the language of the number. */
function rejection({ settings: { language } }: CalledNumber, { message }: CallAction): string {
  if (message === undefined) return twiml({ name: 'Reject' })
  const words = message === DEFAULT_ACTION.message ? sentencesIn(language).sorry : message
  return twiml(say(words, language), hangUp)
}
