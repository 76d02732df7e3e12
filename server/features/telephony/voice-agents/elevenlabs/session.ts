import type { Context } from '../../../../context.ts'
import { publish } from '../../../../events/publish.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import { newId } from '../../../../security/ids.ts'
import { insertMessage, openKeyedSession } from '../../../agents/conversations/conversations.ts'
import type { VoiceAgentRow } from '../voice-agent-queries.ts'
import type { Utterance } from './conversation.ts'

/** Longer conversations are complete in their transcript file. */
const MESSAGES_MAX = 400

type NewMessage = Parameters<typeof insertMessage>[3]

export const toSessionKey = (conversationId: string) => `call:elevenlabs:${conversationId}`

/**
 * Data for every model that reads it later, and never more than `verified`. While a run is active, its messages must
 * stay in order, so the transcript becomes notes, which models don't receive.
 */
export async function addTranscript(
  ctx: Context,
  { agentId, projectId }: VoiceAgentRow,
  conversationId: string,
  { title, utterances }: { title: string; utterances: readonly Utterance[] },
): Promise<string> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const now = ctx.now()
  const session = await openKeyedSession(sql, orgId, toSessionKey(conversationId), {
    ...{ id: newId(), projectId, agentId, title, origin: 'call' as const, createdBy: userId, now },
  })
  const { id: sessionId } = session
  if (session.isNew)
    await publish(ctx, { type: 'session.created', data: { sessionId, projectId, agentId, by: userId } })
  const isBusy = session.activeRunId !== null
  const add = async (role: 'user' | 'assistant', text: string, body: string) => {
    const message: NewMessage = {
      ...{ id: newId(), runId: null, step: null, authorId: null, trust: 'verified', state: 'sent' },
      ...{ role: isBusy ? 'note' : role, content: [{ type: 'text', text }], body },
    }
    await insertMessage(sql, orgId, sessionId, message, now)
  }
  // Model providers reject a conversation that begins with an assistant message.
  await add('user', 'A phone call transcript follows. A voice agent spoke with the caller.', title)
  for (const { role, text } of utterances.slice(0, MESSAGES_MAX))
    if (role === 'user') await add('user', stableFence(text, 'the caller (outside)'), text)
    else await add('assistant', text, text)
  if (utterances.length > MESSAGES_MAX)
    await add('user', 'The rest is in the transcript file.', 'The rest is in the transcript file.')
  return sessionId
}
