import type { Context } from '../../../context.ts'
import { conflict, raise } from '../../../errors.ts'
import { isUuid } from '../../../security/ids.ts'
import { findAgent, findDefaultAgent } from '../../agents/agents/agents.ts'
import type { BlockRow } from '../canvas/canvas.ts'

/** The agent that a block names, or the default one. */
export async function agentOf(
  { sql, caller }: Context,
  { metadata: { agentId } }: BlockRow,
): Promise<string> {
  if (agentId === undefined || agentId === null)
    return (
      (await findDefaultAgent(sql, caller.orgId))?.id ??
      raise(conflict('The organization has no agent: create one'))
    )
  const agent =
    typeof agentId === 'string' && isUuid(agentId) && (await findAgent(sql, caller.orgId, agentId))
  return agent ? agent.id : raise(conflict('The agent of this block does not exist: choose another one'))
}
