/** Plain data without schemas, for the server, the dashboard and the CLI. */

/** Budgets are locked in this order. */
export const BUDGET_SCOPES = ['org', 'project', 'agent', 'user', 'key'] as const
export type BudgetScope = (typeof BUDGET_SCOPES)[number]

export const BUDGET_PERIODS = ['run', 'day', 'month', 'total'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

export const BUDGET_ACTIONS = ['pause', 'stop', 'notify'] as const
export type BudgetAction = (typeof BUDGET_ACTIONS)[number]

/** Percentages reported to admins, once per period. */
export const REPORTED_PERCENTAGES = [80, 100] as const

export const USAGE_GROUPS = ['day', 'project', 'agent', 'model', 'user', 'key'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]
