import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { Models } from '../../../models/models.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { titleOf } from '../../chat/chat.ts'
import { joinRun, runnableAgent, startAgentRun } from '../../runs/runs.ts'
import { assignRun, insertMessage, openKeyedSession, releaseKey } from '../../sessions/sessions.ts'
import type { WorkingEndpoint } from './endpoint-rights.ts'
import type { PendingEvent, StartedWork } from './event-queries.ts'
import { messageOf } from './message.ts'

/**
 * Adds the message of an event to the session of its thread, on the transaction of the caller. It joins the active run at
 * its next step, or starts one. What arrives from outside never settles an approval and never answers a question of the
 * agent, which are for members.
 */
export async function deliver(
  models: Models,
  ctx: Context,
  endpoint: WorkingEndpoint,
  connectorName: string,
  event: PendingEvent,
): Promise<StartedWork> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const { projectId } = endpoint
  const now = ctx.now()
  const { content, body } = messageOf({ connector: connectorName, endpoint: endpoint.name }, event.record)
  const title = titleOf(`${connectorName}: ${body}`)
  const session = await openThread(ctx, endpoint, event.thread, title)
  const message = (state: 'sent' | 'queued', runId: string | null) => ({
    ...{ id: newId(), role: 'user' as const, runId, step: null, authorId: null, content, body },
    trust: 'untrusted' as const,
    state,
  })
  const stored = async (state: 'sent' | 'queued', runId: string) => {
    const row = await insertMessage(
      sql,
      orgId,
      session.id,
      message(state, state === 'sent' ? runId : null),
      now,
    )
    const { id: messageId } = row ?? raise(notFound('Session'))
    await publish(ctx, {
      type: 'session.message.created',
      data: { sessionId: session.id, projectId, messageId, by: null },
    })
    return { sessionId: session.id, messageId, runId, now }
  }
  if (session.activeRunId !== null) {
    await joinRun(ctx, orgId, session.activeRunId)
    return stored('queued', session.activeRunId)
  }
  const agent = await runnableAgent(ctx, models, endpoint.agentId)
  const run = await startAgentRun(ctx, {
    projectId,
    sessionId: session.id,
    agent,
    trigger: 'provider_event',
    trust: 'untrusted',
    title,
  })
  await assignRun(sql, orgId, session.id, run.id, title)
  return stored('sent', run.id)
}

/** The session of a thread, locked. An ended one is followed by another. */
async function openThread(ctx: Context, endpoint: WorkingEndpoint, thread: string, title: string) {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const { projectId, agentId } = endpoint
  const key = sessionKeyOf(endpoint, thread)
  const open = () =>
    openKeyedSession(sql, orgId, key, {
      ...{ id: newId(), projectId, agentId, title, origin: 'provider' as const },
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

/** With the project: an endpoint that is moved to another one starts other sessions. */
const sessionKeyOf = ({ id, projectId }: WorkingEndpoint, thread: string) =>
  `connector:${id}:${projectId}:${sha256(thread).toString('hex')}`
