import type { Context } from '../../../context.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { isUuid, newId } from '../../../security/ids.ts'
import { findAgent, findDefaultAgent } from '../../agents/agents/agents.ts'
import { deriveTitle } from '../../agents/chat/chat.ts'
import {
  assignRun,
  insertMessage,
  openKeyedSession,
  releaseKey,
} from '../../agents/conversations/conversations.ts'
import { type NewRun, requireRunnableAgent, startAgentRun, startProgramRun } from '../../agents/runs/runs.ts'
import type { ProjectRow } from '../../projects/projects/projects.ts'
import type { BlockRow } from '../canvas/canvas.ts'
import { type BlockMessage, programInput, renderMessage } from './compose-message.ts'

interface Start extends Pick<NewRun, 'scheduleId' | 'parent'> {
  block: { id: string; title: string | null }
  agentId: string
  message: BlockMessage
  isCode: boolean
}

/** In the block's conversation, with the caller's permissions. */
export async function startRun(
  models: ModelChoices,
  ctx: Context,
  project: ProjectRow,
  { block, agentId, message, isCode, scheduleId, parent }: Start,
): Promise<{ runId: string; sessionId: string }> {
  const agent = await requireRunnableAgent(ctx, models, agentId)
  const session = await openSession(ctx, project, block, agent.id)
  const title = deriveTitle(block.title || message.instructions)
  return startInSession(ctx, {
    message,
    isCode,
    run: {
      projectId: project.id,
      sessionId: session.id,
      agent,
      trigger: scheduleId ? 'schedule' : 'block',
      title,
      blockId: block.id,
      scheduleId,
      parent,
    },
  })
}

interface SessionStart {
  message: BlockMessage
  /** The instructions are a program. */
  isCode: boolean
  run: Omit<NewRun, 'trust' | 'title' | 'outputSchema'> & { title: string }
}

/** The message is the session's next one. */
export async function startInSession(
  ctx: Context,
  { message, isCode, run: started }: SessionStart,
): Promise<{ runId: string; sessionId: string }> {
  const { orgId } = ctx.caller
  const { projectId, sessionId, title } = started
  const { texts, trust } = renderMessage(message)
  const run = isCode
    ? await startProgramRun(
        ctx,
        { ...started, trust },
        { code: message.instructions, input: programInput(message) },
      )
    : await startAgentRun(ctx, { ...started, outputSchema: message.outputSchema, trust })
  await assignRun(ctx.sql, orgId, sessionId, run.id, title)
  const stored = await insertMessage(
    ctx.sql,
    orgId,
    sessionId,
    {
      id: newId(),
      role: 'user',
      runId: run.id,
      step: null,
      authorId: ctx.caller.userId,
      content: texts.map((text) => ({ type: 'text', text })),
      body: message.instructions,
      trust,
      state: 'sent',
    },
    ctx.now(),
  )
  const { id: messageId } = stored ?? raise(notFound('Session'))
  await publish(ctx, {
    type: 'session.message.created',
    data: { sessionId, projectId, messageId, by: ctx.caller.userId },
  })
  return { runId: run.id, sessionId }
}

/** One per block, replaced after it ended or was deleted. Locked, so that at most one run is active. */
async function openSession(ctx: Context, project: ProjectRow, block: Start['block'], agentId: string) {
  const { sql, caller } = ctx
  const { orgId, id: projectId } = project
  const key = `block:${projectId}:${block.id}`
  const open = () =>
    openKeyedSession(sql, orgId, key, {
      id: newId(),
      projectId,
      agentId,
      title: block.title,
      origin: caller.via === 'session' ? 'chat' : 'api',
      createdBy: caller.userId,
      now: ctx.now(),
    })
  const found = await open()
  if (found.activeRunId !== null) throw alreadyRunning(found.activeRunId)
  if (found.status === 'ended') await releaseKey(sql, orgId, found.id)
  const session = found.status === 'ended' ? await open() : found
  if (session.isNew)
    await publish(ctx, {
      type: 'session.created',
      data: { sessionId: session.id, projectId, agentId, by: caller.userId },
    })
  return session
}

export const alreadyRunning = (runId: string) =>
  new ApiError('CONFLICT', 'This block has an active run: wait until it ends, or cancel it', {
    details: { reason: 'run_active', runId },
  })

export async function findBlockAgent(
  { sql, caller }: Context,
  { metadata: { agentId } }: Pick<BlockRow, 'metadata'>,
): Promise<string> {
  if (agentId === undefined || agentId === null)
    return (
      (await findDefaultAgent(sql, caller.orgId))?.id ??
      raise(conflict('The organization has no agent: create one'))
    )
  const agent =
    typeof agentId === 'string' && isUuid(agentId) && (await findAgent(sql, caller.orgId, agentId))
  return agent ? agent.id : raise(conflict('This block’s agent does not exist: choose another one'))
}
