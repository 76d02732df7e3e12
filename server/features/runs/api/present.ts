import type { z } from 'zod'
import type { AgentRun } from '../../../../contract/agents/agent-runs.ts'
import type { Context } from '../../../context.ts'
import { findAgentRun, type RunView } from './run-queries.ts'

export const presentRun = ({ orgId: _orgId, access, ...row }: RunView): z.output<typeof AgentRun> => ({
  ...row,
  cost: { amount: row.cost, currency: 'USD' },
  canEdit: access === 'edit',
})

export const presentAgentRun = async (ctx: Context, runId: string) =>
  presentRun(await findAgentRun(ctx, runId))
