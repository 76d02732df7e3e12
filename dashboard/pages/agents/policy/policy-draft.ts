import { AGENT_RISK_NAMES, type AgentRisk } from '../../../../contract/agents/agent-options.ts'
import type { BudgetAction, BudgetPeriod } from '../../../../contract/billing/budget-options.ts'
import { DEFAULT_BUDGET_SCOPES } from '../../../../contract/organizations/settings-options.ts'
import type { OrgSettings } from '../../../api/organizations.ts'
import { editableAmount, parseAmount } from '../../../components/amounts.ts'

export const ROLES = ['owner', 'admin', 'member'] as const
type Role = (typeof ROLES)[number]
type Scope = (typeof DEFAULT_BUDGET_SCOPES)[number]

/** An empty amount means no budget. */
export interface BudgetDraft {
  amount: string
  period: BudgetPeriod
  onReach: BudgetAction
}

export interface PolicyDraft {
  defaultModel: string
  runEventDays: string
  approvals: Record<AgentRisk, '' | 'ask' | 'deny'>
  /** Empty allows all. */
  models: Record<Role, string[]>
  budgets: Record<Scope, BudgetDraft>
}

const record = <K extends string, V>(keys: readonly K[], toValue: (key: K) => V) =>
  Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<K, V>

export const toPolicyDraft = (settings: OrgSettings): PolicyDraft => ({
  defaultModel: settings.defaultModel ?? '',
  runEventDays: String(settings.runEventDays),
  approvals: record(AGENT_RISK_NAMES, (risk) => settings.approvals[risk] ?? ''),
  models: record(ROLES, (role) => settings.models[role] ?? []),
  budgets: record(DEFAULT_BUDGET_SCOPES, (scope) => {
    const budget = settings.defaultBudgets[scope]
    return {
      amount: budget ? editableAmount(budget.amount) : '',
      period: budget?.period ?? 'month',
      onReach: budget?.onReach ?? 'pause',
    }
  }),
})

export const toSettingsChange = ({
  defaultModel,
  runEventDays,
  approvals,
  models,
  budgets,
}: PolicyDraft) => ({
  defaultModel: defaultModel || null,
  runEventDays: Number(runEventDays),
  approvals: record(AGENT_RISK_NAMES, (risk) => approvals[risk] || null),
  models: record(ROLES, (role) => (models[role].length > 0 ? models[role] : null)),
  defaultBudgets: record(DEFAULT_BUDGET_SCOPES, (scope) => {
    const { amount, ...rest } = budgets[scope]
    return amount.trim() === '' ? null : { ...rest, amount: parseAmount(amount) }
  }),
})
