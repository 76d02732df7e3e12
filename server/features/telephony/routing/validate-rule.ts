import type { Context } from '../../../context.ts'
import { ApiError, badField } from '../../../errors.ts'
import { findAgent } from '../../agents/agents/agents.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { Match, StoredAction } from './rule.ts'
import { listBlockProjects, listNumberIds } from './rule-queries.ts'

/** Throws an error that names the field unless the numbers belong to the organization. */
export async function requireNumbers({ sql, caller }: Context, { numberIds }: Match): Promise<void> {
  if (numberIds === undefined) return
  const ownIds = await listNumberIds(sql, caller.orgId, numberIds)
  const missing = numberIds.findIndex((id) => !ownIds.includes(id))
  if (missing >= 0) throw badField(`body.match.numberIds.${missing}`, 'is not a number of this organization')
}

/**
 * The action as it is stored. Throws an error that names the field unless its agent exists and the caller can edit the
 * project of its block, because the work is done with the rights of the caller.
 */
export async function requireAction(
  ctx: Context,
  field: 'action' | 'fallback',
  stored: StoredAction,
): Promise<StoredAction> {
  const { projectId: _, ...action } = stored
  const { type, agentId, blockId } = action
  if (type === 'agent') await requireAgent(ctx, `body.${field}.agentId`, agentId!)
  if (type !== 'workflow') return action
  return { ...action, projectId: await projectOfBlock(ctx, `body.${field}.blockId`, blockId!) }
}

async function requireAgent({ sql, caller }: Context, path: string, id: string): Promise<void> {
  const agent = await findAgent(sql, caller.orgId, id)
  if (!agent) throw badField(path, 'does not exist')
  if (agent.archivedAt) throw badField(path, 'is archived: unarchive it, or choose another one')
}

async function projectOfBlock(ctx: Context, path: string, blockId: string): Promise<string> {
  for (const projectId of await listBlockProjects(ctx.sql, ctx.caller.orgId, blockId)) {
    if (await canEdit(ctx, projectId)) return projectId
  }
  throw badField(path, 'must be an agent block of a project that you can edit')
}

async function canEdit(ctx: Context, projectId: string): Promise<boolean> {
  try {
    await findProject(ctx, projectId, 'edit')
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
