import type { agents } from '../../../contract/agents/agents.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../security/ids.ts'
import { requireStepUpIfLooser } from './loosening.ts'
import { findAgent, insertAgent, type NewVersion } from './queries.ts'
import { recordChange } from './record-change.ts'
import type { AgentRow } from './records.ts'
import { requireEditor } from './require-editor.ts'
import { listKeysOf, normalise } from './settings.ts'

export async function createAgent(ctx: Context, input: InputOf<typeof agents.create>): Promise<AgentRow> {
  const { orgId, userId } = ctx.caller
  const settings = normalise(input)
  await requireEditor(ctx)
  requireStepUpIfLooser(ctx, null, settings)
  const version: NewVersion = {
    id: newId(),
    version: 1,
    change: 'created',
    restoredFrom: null,
    settings,
    by: userId,
    now: ctx.now(),
  }
  return ctx.transaction(async (inside) => {
    await insertAgent(inside.sql, orgId, { ...version, ...listKeysOf(settings) })
    await ctx.quotas.requireWithin(inside.sql, orgId, 'agents', ctx.now())
    await recordChange(inside, version, [])
    return (await findAgent(inside.sql, orgId, version.id))!
  })
}
