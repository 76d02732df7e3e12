import { QUOTAS, type QuotaName } from '../../contract/quotas.ts'
import { ApiError } from '../errors.ts'

export interface ExceededQuota {
  quota: QuotaName
  used: number
  allowed: number
}

/** FORBIDDEN: repeating the call does not help until something is removed or the limit is raised. */
export const quotaExceeded = (exceeded: ExceededQuota): ApiError =>
  new ApiError('FORBIDDEN', messageOf(exceeded), { details: { reason: 'quota_exceeded', ...exceeded } })

/** RATE_LIMITED: usage falls without the caller, so the call may be repeated later. */
export const quotaExceededForNow = (exceeded: ExceededQuota, retrySeconds: number): ApiError =>
  new ApiError('RATE_LIMITED', messageOf(exceeded), {
    details: { reason: 'quota_exceeded', ...exceeded },
    headers: { 'retry-after': String(retrySeconds) },
  })

/** The actions that members can take before an operator raises the limit. */
const REMEDIES: Partial<Record<QuotaName, string>> = {
  files: 'Purge files in the trash. ',
  storage: 'Purge files in the trash. ',
  memories: 'Delete memories that are no longer needed, or decide about proposed ones. ',
  connections: 'Revoke connections that are no longer used. ',
  blocks: 'Delete blocks that are no longer needed, or purge deleted projects. ',
  payments: 'The count resets at midnight UTC. ',
  history: 'Prune the histories of canvases, or purge deleted projects. ',
}

function messageOf({ quota, used, allowed }: ExceededQuota): string {
  const { label, unit } = QUOTAS[quota]
  const amount = (value: number) => `${value.toLocaleString('en-US')}${unit === 'bytes' ? ' bytes' : ''}`
  return `The organization has reached its quota "${quota}" (${label.toLowerCase()}): ${amount(used)} of ${amount(allowed)} used. ${REMEDIES[quota] ?? ''}An operator of this server can raise it`
}
