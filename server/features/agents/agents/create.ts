import type { agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { requireEditor } from '../../organizations/membership/membership.ts'
import { requireModels } from '../../organizations/settings/settings.ts'
import { requireStepUpIfLooser } from './loosening.ts'
import { findAgent, insertAgent, type NewVersion } from './queries.ts'
import type { AgentRow } from './records.ts'
import { modelsIn, normalize, toListKeys } from './settings.ts'
import { recordChange } from './update.ts'

export async function createAgent(
  ctx: Context<'quotas'>,
  input: InputOf<typeof agents.create>,
): Promise<AgentRow> {
  const { orgId, userId } = ctx.caller
  const settings = normalize(input)
  await requireEditor(ctx, 'agents')
  requireStepUpIfLooser(ctx, null, settings)
  await requireModels(ctx, modelsIn(settings))
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
    await insertAgent(inside.sql, orgId, { ...version, ...toListKeys(settings) })
    await ctx.quotas.requireWithin(inside.sql, orgId, 'agents', ctx.now())
    await recordChange(inside, version, [])
    return (await findAgent(inside.sql, orgId, version.id))!
  })
}
