/** Plain data without schemas, also for the dashboard and the CLI. */

export const ORGANIZATION_STATUSES = ['active', 'suspended', 'erasing'] as const

export const ORGANIZATION_SORTS = [
  'created',
  'name',
  'members',
  'projects',
  'files',
  'storage',
  'runs',
  'spend',
  'active',
] as const
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number]

export const EXPORT_STATUSES = ['queued', 'running', 'ready', 'failed', 'expired'] as const
export const ERASURE_STATUSES = ['scheduled', 'canceled', 'running', 'done'] as const

/** How long an export can be downloaded. */
export const EXPORT_DAYS = 7
/** Stored per organization, separately for owners and operators. */
export const EXPORTS_MAX = 3
/** How long an erasure can be canceled. */
export const ERASURE_DAYS = 7
