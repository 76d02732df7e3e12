import { isDeepStrictEqual } from 'node:util'
import { SETTING_NAMES, type SettingName } from '../../../../contract/agents/agent-fields.ts'
import type { AgentSettings } from '../../../../contract/agents/agents.ts'
import { toSearchKey, toSortKey } from '../../../database/name-keys.ts'
import { badField } from '../../../errors.ts'
import { requireSchema } from '../../../language-models/structured-output/require-schema.ts'
import type { ListKeys } from './queries.ts'

/** Checks rules between settings and unifies equal values, so they compare as equal. */
export function normalize(settings: AgentSettings): AgentSettings {
  const { model, fallbackModels, budget, emoji, description, outputSchema } = settings
  if (model !== null && fallbackModels.includes(model)) {
    throw badField('body.fallbackModels', 'must not contain the model itself')
  }
  requireSchema('body.outputSchema', outputSchema)
  return {
    ...settings,
    emoji: emoji || null,
    description: description || null,
    budget: budget && { ...budget, amount: withSixDecimals(budget.amount) },
  }
}

/** The API's amount format: `2.5` becomes `2.500000`. */
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

export const toListKeys = ({ name, description }: AgentSettings): ListKeys => ({
  name,
  sortKey: toSortKey(name),
  searchKey: toSearchKey(`${name}\n${description ?? ''}`),
})
