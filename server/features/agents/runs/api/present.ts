import type { z } from 'zod'
import type { AgentRun } from '../../../../../contract/agents/agent-runs.ts'
import type { Context } from '../../../../context.ts'
import { findAgentRun, listChildren, type RunView } from './run-queries.ts'

export const presentRun = ({ orgId: _orgId, access, ...row }: RunView): z.output<typeof AgentRun> => ({
  ...row,
  cost: { amount: row.cost, currency: 'USD' },
  canEdit: access === 'edit',
})

export const presentAgentRun = async (ctx: Context, runId: string) =>
  presentRun(await findAgentRun(ctx, runId))

export async function readChildren(ctx: Context, { id }: { id: string }) {
  await findAgentRun(ctx, id)
  const items = await listChildren(ctx.sql, ctx.caller, id)
  return {
    items: items.map((child) => ({ ...child, cost: { amount: child.cost, currency: 'USD' as const } })),
  }
}
