import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { ApiError, notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { requireSchema } from '../../../language-models/structured-output/require-schema.ts'
import { newId } from '../../../security/ids.ts'
import {
  assignRun,
  findSession,
  insertMessage,
  lockSession,
  type MessageRow,
  presentMessage,
  requireOpen,
  type SessionRow,
} from '../conversations/conversations.ts'
import {
  decideByMessage,
  interruptStep,
  joinRun,
  presentAgentRun,
  requireRunnableAgent,
  startAgentRun,
} from '../runs/runs.ts'
import { readAttachments } from './attachments.ts'
import { deriveTitle } from './change.ts'

export type NewMessage = Pick<
  InputOf<typeof sessions.send>,
  'content' | 'fileIds' | 'blockIds' | 'outputSchema'
>

/** Joins the active run at its next step, or starts one. */
export const sendMessage = (
  models: ModelChoices,
  ctx: Context,
  { id, interrupt, format: _format, ...message }: InputOf<typeof sessions.send>,
) =>
  ctx.transaction(async (inside) => {
    const session = await findSession(inside, id, 'edit')
    requireOpen(session)
    const activeRunId = await lockSession(inside.sql, session.orgId, session.id)
    if (activeRunId === null) return startRunWith(models, inside, session, message)
    requireNoSchema(message, activeRunId)
    const attachments = await readAttachments(inside, session.projectId, message)
    const stored = await store(inside, session, { ...message, attachments }, 'queued', activeRunId)
    // Before `joinRun`: this may lock the active run's children, and children are locked before parents.
    await decideByMessage(inside, session.orgId, activeRunId, stored)
    await joinRun(inside, session.orgId, activeRunId)
    if (interrupt) await interruptStep(inside, session.orgId, activeRunId)
    return { message: presentMessage(stored), run: await presentAgentRun(inside, activeRunId) }
  })

/** The active run has its own format. */
function requireNoSchema({ outputSchema }: NewMessage, runId: string): void {
  if (outputSchema !== undefined)
    throw new ApiError(
      'CONFLICT',
      'A message with an outputSchema starts its own run: send it after the active run has ended',
      { details: { reason: 'run_active', runId } },
    )
}

export async function startRunWith(
  models: ModelChoices,
  ctx: Context,
  session: SessionRow,
  message: NewMessage,
) {
  const agent = await requireRunnableAgent(ctx, models, session.agentId, session.model)
  const title = deriveTitle(message.content)
  const attachments = await readAttachments(ctx, session.projectId, message)
  const run = await startAgentRun(ctx, {
    projectId: session.projectId,
    sessionId: session.id,
    agent,
    trigger: 'message',
    trust: attachments.trust,
    title,
    outputSchema: requireSchema('body.outputSchema', message.outputSchema),
  })
  await assignRun(ctx.sql, session.orgId, session.id, run.id, title)
  const stored = await store(ctx, session, { ...message, attachments }, 'sent', run.id)
  return { message: presentMessage(stored), run: await presentAgentRun(ctx, run.id) }
}

async function store(
  ctx: Context,
  { orgId, id, projectId }: SessionRow,
  message: NewMessage & { attachments: Awaited<ReturnType<typeof readAttachments>> },
  state: 'sent' | 'queued',
  runId: string,
): Promise<MessageRow> {
  const { parts, trust } = message.attachments
  const row = await insertMessage(
    ctx.sql,
    orgId,
    id,
    {
      id: newId(),
      role: 'user',
      runId: state === 'sent' ? runId : null,
      step: null,
      authorId: ctx.caller.userId,
      content: [{ type: 'text', text: message.content }, ...parts],
      fileIds: [...new Set(message.fileIds)],
      body: message.content,
      trust,
      state,
    },
    ctx.now(),
  )
  const stored = row ?? raise(notFound('Session'))
  await publish(ctx, {
    type: 'session.message.created',
    data: { sessionId: id, projectId, messageId: stored.id, by: ctx.caller.userId },
  })
  return stored
}
