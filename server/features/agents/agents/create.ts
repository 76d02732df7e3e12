import { isDeepStrictEqual } from 'node:util'
import { SETTING_NAMES, type SettingName } from '../../../../contract/agents/agent-fields.ts'
import type { AgentSettings, agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { searchKeyOf, sortKeyOf } from '../../files/files/files.ts'
import { requireEditor } from '../../organizations/membership/membership.ts'
import { requireModels } from '../../organizations/settings/settings.ts'
import { requireStepUpIfLooser } from './loosening.ts'
import { findAgent, insertAgent, type ListKeys, type NewVersion } from './queries.ts'
import type { AgentRow } from './records.ts'
import { recordChange } from './update.ts'

export async function createAgent(ctx: Context, input: InputOf<typeof agents.create>): Promise<AgentRow> {
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
    await insertAgent(inside.sql, orgId, { ...version, ...listKeysOf(settings) })
    await ctx.quotas.requireWithin(inside.sql, orgId, 'agents', ctx.now())
    await recordChange(inside, version, [])
    return (await findAgent(inside.sql, orgId, version.id))!
  })
}

/** Checks the rules between settings, and writes equal values in one way, so that they are recognized as equal. */
export function normalize(settings: AgentSettings): AgentSettings {
  const { model, fallbackModels, budget, emoji, description } = settings
  if (model !== null && fallbackModels.includes(model)) {
    throw badField('body.fallbackModels', 'must not contain the model itself')
  }
  return {
    ...settings,
    emoji: emoji || null,
    description: description || null,
    budget: budget && { ...budget, amount: withSixDecimals(budget.amount) },
  }
}

/** The format of all amounts of the API: `2.5` becomes `2.500000`. */
function withSixDecimals(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.padEnd(6, '0')}`
}

export const modelsIn = ({ model, fallbackModels }: AgentSettings): string[] => [
  ...(model === null ? [] : [model]),
  ...fallbackModels,
]

export const changedFields = (before: AgentSettings, after: AgentSettings): SettingName[] =>
  SETTING_NAMES.filter((name) => !isDeepStrictEqual(before[name], after[name]))

export const listKeysOf = ({ name, description }: AgentSettings): ListKeys => ({
  name,
  sortKey: sortKeyOf(name),
  searchKey: searchKeyOf(`${name}\n${description ?? ''}`),
})
