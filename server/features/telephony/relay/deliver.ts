import { type Caller, createContext, type PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { stableFence } from '../../../language-models/fence.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { updateInterrupted } from '../../agents/conversations/conversations.ts'
import {
  type ActingMember,
  deliverMessage,
  resolveActingMember,
} from '../../agents/outside-messages/outside-messages.ts'
import { interruptStep } from '../../agents/runs/runs.ts'
import type { CallRow } from '../calls/call.ts'
import { lockCall } from '../calls/queries.ts'
import { updateRun } from './relay-queries.ts'

export type SpokenCall = Pick<
  CallRow,
  | 'id'
  | 'direction'
  | 'provider'
  | 'from'
  | 'to'
  | 'projectId'
  | 'ownerId'
  | 'keyId'
  | 'agentId'
  | 'action'
  | 'sessionId'
> & { orgId: string }

export interface Interruption {
  runId: string
  step: number
  heard: string
}

export interface Message {
  /** For the model. */
  text: string
  body: string
  /** Null for the caller. */
  authorId: string | null
}

export type DeliveryResult =
  | { kind: 'delivered'; sessionId: string; runId: string }
  /** The call has ended or another connection has taken it over. */
  | { kind: 'gone' }
  | { kind: 'obstacle'; obstacle: NonNullable<ActingMember['obstacle']> | 'no_agent' }

class CallGone extends Error {}

/** Uses the call owner's current permissions. Ends a model call under way, so the agent answers immediately. */
export async function deliver(
  models: ModelChoices,
  ctx: PublicContext,
  call: SpokenCall,
  message: Message,
  { connection, interruption }: { connection: number | null; interruption: Interruption | null },
): Promise<DeliveryResult> {
  const { orgId, id, projectId, ownerId } = call
  const agentId = call.agentId ?? call.action.agentId
  if (ownerId === null || agentId === undefined) return { kind: 'obstacle', obstacle: 'no_agent' }
  try {
    return await ctx.transaction(async (inside): Promise<DeliveryResult> => {
      const { sql } = inside
      // Every transaction locks the call before session and run.
      await lockCall(sql, orgId, id)
      const member = await resolveActingMember(sql, orgId, { userId: ownerId, projectId, credentialId: id })
      if (member.caller === null) return { kind: 'obstacle', obstacle: member.obstacle }
      const acting = createContext({ ...inside, caller: actingCaller(call, member.caller) })
      const { sessionId, runId } = await deliverMessage(models, acting, {
        key: `call:${id}`,
        projectId,
        agentId,
        title: call.provider === 'browser' ? 'Call in the browser' : `Call with ${peerOf(call)}`,
        origin: 'call',
        trigger: 'call',
        // The run has the owner's permissions, so another member's request isn't the owner's.
        trust: message.authorId === ownerId ? 'trusted' : 'verified',
        ...(message.authorId !== null && { authorId: message.authorId }),
        content: [{ type: 'text', text: message.text }],
        body: message.body,
      })
      await interruptStep(acting, orgId, runId)
      if (interruption) await storeInterrupted(sql, orgId, interruption)
      if (!(await updateRun(sql, orgId, id, { connection, sessionId, runId }))) throw new CallGone()
      return { kind: 'delivered', sessionId, runId }
    })
  } catch (error) {
    if (error instanceof CallGone) return { kind: 'gone' }
    throw error
  }
}

/** In the browser, the member acts, perhaps with a key; runs end when it's revoked. */
export const actingCaller = (
  { provider, keyId }: Pick<SpokenCall, 'provider' | 'keyId'>,
  member: Caller,
): Caller =>
  provider === 'browser' && keyId !== null ? { ...member, via: 'key', credentialId: keyId } : member

export const storeInterrupted = (sql: Sql, orgId: string, { runId, step, heard }: Interruption) =>
  updateInterrupted(sql, orgId, { runId, step }, heard)

const peerOf = ({ direction, from, to }: SpokenCall) => (direction === 'inbound' ? from : to)

const SPEAKING =
  'a voice reads your answers out as you write them. Answer in a few short sentences, in the other person’s language, without lists, links or formatting, and write numbers as they are said.'
const HOW_TO_SPEAK = `This is a phone call: ${SPEAKING}`
const HOW_TO_SPEAK_IN_BROWSER = `This is a voice call, which the member makes in the browser: ${SPEAKING}`

/** Data: nothing the other party says counts as a member's request. */
export function messageOfCaller(call: SpokenCall, verb: string, words: string): Message {
  const who =
    call.direction === 'inbound' ? `The caller (${call.from})` : `The person you called (${call.to})`
  const intro = call.sessionId === null ? `${HOW_TO_SPEAK}\n\n` : ''
  return {
    text: `${intro}${who} ${verb}:\n\n${stableFence(words, 'the other person of the call (outside)')}`,
    body: words,
    authorId: null,
  }
}

/** The signed-in member's own words, trusted like those they type. */
export function messageOfSpeaker(call: SpokenCall, words: string, authorId: string): Message {
  const intro = call.sessionId === null ? `${HOW_TO_SPEAK_IN_BROWSER}\n\n` : ''
  return { text: `${intro}${words}`, body: words, authorId }
}

/** The other party doesn't hear it. */
export function messageOfMember(call: SpokenCall, text: string, authorId: string): Message {
  const intro = call.sessionId === null ? `${HOW_TO_SPEAK}\n\n` : ''
  return {
    text: `${intro}[An organization member is instructing you. The other person on the call does not hear this: do not read it out.]\n\n${text}`,
    body: `[Not heard by the other person] ${text}`,
    authorId,
  }
}
