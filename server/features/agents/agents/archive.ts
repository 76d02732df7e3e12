import type { agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import type { AgentRow } from './records.ts'
import { addVersion, lockForChange } from './update.ts'

export const archiveAgent = (ctx: Context, input: InputOf<typeof agents.remove>): Promise<AgentRow> =>
  ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, input, { archived: 'allowed' })
    if (row.archivedAt !== null) return row
    return addVersion(inside, row, { change: 'archived', restoredFrom: null, settings: row.settings })
  })

/** An unarchived agent counts against the quota again. */
export const unarchiveAgent = (ctx: Context, { id }: InputOf<typeof agents.unarchive>): Promise<AgentRow> =>
  ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, { id }, { archived: 'allowed' })
    if (row.archivedAt === null) return row
    const { settings } = row
    const unarchived = await addVersion(inside, row, { change: 'unarchived', restoredFrom: null, settings })
    await ctx.quotas.requireWithin(inside.sql, ctx.caller.orgId, 'agents', ctx.now())
    return unarchived
  })
