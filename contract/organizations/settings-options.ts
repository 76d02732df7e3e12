/** Plain data without schemas, for the server and the dashboard. */

/** Not the organization, since its only budget is set directly. */
export const DEFAULT_BUDGET_SCOPES = ['project', 'agent', 'user', 'key'] as const

export const ORG_APPROVAL_RULES = ['ask', 'deny'] as const

export const EVENT_DAYS = { min: 1, max: 365, default: 7 } as const

export const MODEL_RULES_MAX = 100
