import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { newId } from '../../../security/ids.ts'
import type { Trust } from '../../../tools/tool.ts'
import {
  assignRun,
  insertMessage,
  type MessagePart,
  openKeyedSession,
  releaseKey,
} from '../conversations/conversations.ts'
import { joinRun, type NewRun, requireRunnableAgent, startAgentRun } from '../runs/runs.ts'

export interface OutsideMessage {
  /** A chat, thread, issue, number pair or call. Its messages share one session. */
  key: string
  projectId: string
  agentId: string
  title: string
  origin: 'provider' | 'call'
  trigger: NewRun['trigger']
  /** `trusted` only for a member's words, with the member as author. */
  trust: Trust
  authorId?: string
  /** Untrusted content is fenced. */
  content: MessagePart[]
  /** Files in the content. */
  fileIds?: readonly string[]
  body: string
}

export interface DeliveredMessage {
  sessionId: string
  messageId: string
  runId: string
  now: Date
}

/**
 * Runs in the caller's transaction, with the caller's permissions. Joins the active run at its next step, or starts
 * one. Never settles an approval or answers an agent's question: those are for members.
 */
export async function deliverMessage(
  models: ModelChoices,
  ctx: Context,
  message: OutsideMessage,
): Promise<DeliveredMessage> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const { projectId, title, trust, content, fileIds = [], body, authorId = null } = message
  const now = ctx.now()
  const session = await openSession(ctx, message)
  const storeMessage = async (state: 'sent' | 'queued', runId: string) => {
    const row = await insertMessage(
      sql,
      orgId,
      session.id,
      {
        ...{ id: newId(), role: 'user' as const, step: null, authorId, content, fileIds, body, trust, state },
        runId: state === 'sent' ? runId : null,
      },
      now,
    )
    const { id: messageId } = row ?? raise(notFound('Session'))
    await publish(ctx, {
      type: 'session.message.created',
      data: { sessionId: session.id, projectId, messageId, by: authorId },
    })
    return { sessionId: session.id, messageId, runId, now }
  }
  if (session.activeRunId !== null) {
    await joinRun(ctx, orgId, session.activeRunId)
    return storeMessage('queued', session.activeRunId)
  }
  const agent = await requireRunnableAgent(ctx, models, message.agentId)
  const run = await startAgentRun(ctx, {
    projectId,
    sessionId: session.id,
    agent,
    trigger: message.trigger,
    trust,
    title,
  })
  await assignRun(sql, orgId, session.id, run.id, title)
  return storeMessage('sent', run.id)
}

/** Locks the session. Replaces an ended one. */
async function openSession(ctx: Context, { key, projectId, agentId, title, origin }: OutsideMessage) {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const open = () =>
    openKeyedSession(sql, orgId, key, {
      ...{ id: newId(), projectId, agentId, title, origin },
      createdBy: userId,
      now: ctx.now(),
    })
  let session = await open()
  if (session.status === 'ended' && session.activeRunId === null) {
    await releaseKey(sql, orgId, session.id)
    session = await open()
  }
  if (session.isNew)
    await publish(ctx, {
      type: 'session.created',
      data: { sessionId: session.id, projectId, agentId, by: userId },
    })
  return session
}
