import { SCHEDULE_LIMITS } from '../../../../contract/agents/schedule-options.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict, raise } from '../../../errors.ts'
import { listBlocksById } from '../../canvas/canvas/canvas.ts'
import type { ProjectRow } from '../../projects/projects/projects.ts'
import { findAgent, findDefaultAgent } from '../agents/agents.ts'
import { deriveTitle } from '../chat/chat.ts'
import type { ScheduleRow } from './records.ts'

interface Input {
  agentId?: string
  message?: string
  blockId?: string
}

/** An agent with a message, or an agent block. */
export async function resolveScheduleTarget(
  ctx: Context,
  project: ProjectRow,
  { agentId, message, blockId }: Input,
): Promise<Pick<ScheduleRow, 'name' | 'agentId' | 'message' | 'blockId'>> {
  if (blockId === undefined) {
    if (message === undefined) throw badField('body.message', 'is required without a blockId')
    return { name: deriveTitle(message), agentId: await agentOf(ctx, agentId), message, blockId: null }
  }
  if (message !== undefined || agentId !== undefined)
    throw badField('body.blockId', 'must be absent if there is a message or an agent: the block has both')
  const [block] = await listBlocksById(ctx.sql, project.orgId, project.id, [blockId])
  if (block?.type !== 'agent') throw badField('body.blockId', 'must be an agent block in the project')
  const name = (block.title?.trim() || deriveTitle(block.content ?? '') || 'Agent block').slice(
    0,
    SCHEDULE_LIMITS.name,
  )
  return { name: name.toWellFormed(), agentId: null, message: null, blockId }
}

async function agentOf({ sql, caller }: Context, agentId: string | undefined): Promise<string> {
  if (agentId === undefined)
    return (
      (await findDefaultAgent(sql, caller.orgId))?.id ??
      raise(conflict('The organization has no agent: create one'))
    )
  const agent = await findAgent(sql, caller.orgId, agentId)
  if (!agent) throw badField('body.agentId', 'does not exist')
  if (agent.archivedAt) throw badField('body.agentId', 'is archived: unarchive it, or choose another one')
  return agent.id
}
