/** Plain data without schemas, which the dashboard and the command line show as well. */

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
/** How many exports of an organization are stored, separately for owners and for operators. */
export const EXPORTS_MAX = 3
/** How long an erasure can be canceled. */
export const ERASURE_DAYS = 7
