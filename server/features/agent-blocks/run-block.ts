import type { agentBlocks } from '../../../contract/canvas/agent-blocks.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { ApiError, badField, conflict, notFound, raise } from '../../errors.ts'
import { publish } from '../../events/publish.ts'
import type { Models } from '../../models/models.ts'
import { newId } from '../../security/ids.ts'
import { findAgent, findDefaultAgent } from '../agents/agents.ts'
import { type BlockRow, changeCanvas, listBlocksById } from '../canvas/canvas.ts'
import { titleOf } from '../chat/chat.ts'
import { findProject, isId, type ProjectRow } from '../projects/projects.ts'
import { presentAgentRun, runnableAgent, startAgentRun } from '../runs/runs.ts'
import { assignRun, insertMessage, openKeyedSession, releaseKey } from '../sessions/sessions.ts'
import { type BlockMessage, composeMessage } from './compose-message.ts'
import { startedState } from './state.ts'

/** Starts a run of an agent block, with what its edges lead to it, and marks the block as queued. */
export const runBlock = (
  models: Models,
  ctx: Context,
  { projectId, blockId }: InputOf<typeof agentBlocks.run>,
) =>
  ctx.transaction(async (inside) => {
    const project = await findProject(inside, projectId, 'edit')
    const block = await findAgentBlock(inside, project, blockId)
    const agent = await runnableAgent(inside, models, await agentOf(inside, block))
    const message = await composeMessage(inside, project, block)
    const session = await openSession(inside, project, block, agent.id)
    const title = titleOf(block.title || message.instructions)
    const run = await startAgentRun(inside, {
      projectId: project.id,
      sessionId: session.id,
      agent,
      trigger: 'block',
      trust: message.trust,
      title,
      blockId: block.id,
    })
    await assignRun(inside.sql, project.orgId, session.id, run.id, title)
    await storeMessage(inside, project, session.id, run.id, message)
    const state = startedState(block.metadata, { runId: run.id, sessionId: session.id })
    const update = { blocks: [{ id: block.id, metadata: { ...state } }] }
    const isGone = (blocks: ReadonlyMap<string, unknown>) => !blocks.has(block.id)
    await changeCanvas(
      inside,
      project.id,
      { update },
      {
        isRuntime: true,
        check: ({ blocks }) => void (isGone(blocks) && raise(notFound('Block'))),
      },
    )
    return { run: await presentAgentRun(inside, run.id) }
  })

async function findAgentBlock(ctx: Context, { orgId, id }: ProjectRow, blockId: string): Promise<BlockRow> {
  const [block] = await listBlocksById(ctx.sql, orgId, id, [blockId])
  if (!block) throw notFound('Block')
  if (block.type !== 'agent') throw badField('blockId', 'must be a block of type agent')
  if (!block.content?.trim()) throw conflict('This block has no instructions: write them first')
  return block
}

async function agentOf({ sql, caller }: Context, { metadata: { agentId } }: BlockRow): Promise<string> {
  if (agentId === undefined || agentId === null)
    return (
      (await findDefaultAgent(sql, caller.orgId))?.id ??
      raise(conflict('The organization has no agent: create one'))
    )
  const agent = typeof agentId === 'string' && isId(agentId) && (await findAgent(sql, caller.orgId, agentId))
  return agent ? agent.id : raise(conflict('The agent of this block does not exist: choose another one'))
}

/** One conversation per block; a new one after it was ended or deleted. Locks it, so that one run is active at most. */
async function openSession(ctx: Context, project: ProjectRow, block: BlockRow, agentId: string) {
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

const alreadyRunning = (runId: string) =>
  new ApiError('CONFLICT', 'A run of this block is active: wait for its end, or cancel it', {
    details: { reason: 'run_active', runId },
  })

async function storeMessage(
  ctx: Context,
  { orgId, id: projectId }: ProjectRow,
  sessionId: string,
  runId: string,
  { instructions, inputs, trust }: BlockMessage,
): Promise<void> {
  const stored = await insertMessage(
    ctx.sql,
    orgId,
    sessionId,
    {
      id: newId(),
      role: 'user',
      runId,
      step: null,
      authorId: ctx.caller.userId,
      content: [instructions, ...inputs].map((text) => ({ type: 'text', text })),
      body: instructions,
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
}
