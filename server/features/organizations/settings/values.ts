import type { z } from 'zod'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { AGENT_RISK_NAMES } from '../../../../contract/agents/agent-options.ts'
import type { OrgSettings as Contract } from '../../../../contract/organizations/settings.ts'
import { DEFAULT_BUDGET_SCOPES, EVENT_DAYS } from '../../../../contract/organizations/settings-options.ts'

export type OrgSettings = Omit<z.output<typeof Contract>, 'updatedBy' | 'updatedAt'>

/** The stored settings: those that no admin has set are absent. */
export type StoredSettings = {
  [K in keyof OrgSettings]?: OrgSettings[K] extends object ? Partial<OrgSettings[K]> : OrgSettings[K]
}

const nulls = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, null])) as Record<K, null>
const ROLES: readonly Role[] = ['owner', 'admin', 'member']

export const withDefaults = (stored: StoredSettings | null): OrgSettings => ({
  defaultModel: stored?.defaultModel ?? null,
  defaultBudgets: { ...nulls(DEFAULT_BUDGET_SCOPES), ...stored?.defaultBudgets },
  runEventDays: stored?.runEventDays ?? EVENT_DAYS.default,
  approvals: { ...nulls(AGENT_RISK_NAMES), ...stored?.approvals },
  models: { ...nulls(ROLES), ...stored?.models },
})

/** The rule that refuses a model to people of a role; null if none does. */
export function refusingRule(
  { models }: Pick<OrgSettings, 'models'>,
  role: Role,
  model: string,
): string | null {
  const allowed = models[role]
  if (allowed === null || allowed.some((rule) => matches(rule, model))) return null
  return `models.${role}`
}

const matches = (rule: string, model: string) =>
  rule.endsWith('/*') ? model.startsWith(rule.slice(0, -1)) : rule === model

export const refusalText = (rule: string, model: string) =>
  `The rule ${rule} in the settings of the organization does not allow ${model}`
