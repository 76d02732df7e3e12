import { createContext, type PublicContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { resolveActingMember } from '../../agents/outside-messages/outside-messages.ts'
import { startBlock } from '../../canvas/agent-blocks/agent-blocks.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { updateEndReason } from '../transfer/transfer-queries.ts'
import { type CallAction, type CallRow, lockCall } from './call-queries.ts'
import { recordEntry } from './record.ts'
import { updateRun } from './write-queries.ts'

type StartingCall = Pick<CallRow, 'id' | 'from' | 'to' | 'ownerId' | 'ruleId'>

/**
 * Starts the workflow of a rule with the call as its input, once per call, with the rights that the owner of the rule
 * has now. False if it cannot be started.
 */
export async function startWorkflow(
  { models }: Pick<TelephonyOptions, 'models'>,
  ctx: PublicContext,
  orgId: string,
  { id, from, to, ownerId, ruleId }: StartingCall,
  { blockId, projectId }: CallAction,
): Promise<boolean> {
  if (!blockId || !projectId || ownerId === null) return false
  const choices = await models.choices(orgId)
  try {
    return await ctx.transaction(async (inside) => {
      const { sql } = inside
      const call = await lockCall(sql, orgId, id)
      if (!call || call.endedAt !== null) return false
      if (call.runId !== null) return true
      const acting = { userId: ownerId, projectId, credentialId: ruleId ?? id }
      const { caller } = await resolveActingMember(sql, orgId, acting)
      if (caller === null) return false
      const outside = { source: `Call ${id}`, text: `A phone call from ${from} to ${to}` }
      const start = { projectId, blockId, downstream: true, outside }
      const runId = await startBlock(choices, createContext({ ...inside, caller }), start)
      await updateRun(sql, orgId, id, runId)
      await updateEndReason(sql, orgId, id, 'agent_ended')
      await recordEntry(sql, orgId, id, {
        at: ctx.now(),
        type: 'workflow.started',
        detail: runId,
        key: 'workflow',
      })
      return true
    })
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
