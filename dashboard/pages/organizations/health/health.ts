import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { HEALTH_LIMITS, type Queue } from '../../../../contract/organizations/health-options.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { formatDuration } from '../../../components/amounts.ts'
import type { Meaning } from '../../../components/status.tsx'

export type Health = OutputOf<Contract['operations']['health']>

const REFRESH_MS = 5000

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => organizationApi.operations.health(undefined, { signal }),
  refetchInterval: REFRESH_MS,
})

export const LANES: Record<string, string> = {
  'sign-in': 'Sign-in emails',
  mail: 'Other emails',
  default: 'Short jobs',
  bulk: 'Long jobs',
}

export const QUEUES: Record<Queue, string> = {
  deliveries: 'Webhook deliveries',
  runs: 'Agent runs',
  provider_events: 'Provider events',
  replies: 'Replies to providers',
  emails: 'Unsent emails',
  search: 'Search index',
}

export const OUTCOMES: Record<Health['outcomes'][number]['name'], string> = {
  requests: 'Requests',
  jobs: 'Jobs',
  deliveries: 'Webhook deliveries',
  modelCalls: 'Model calls',
}

export const STATUSES: Record<Health['status'], { meaning: Meaning; label: string }> = {
  ok: { meaning: 'good', label: 'Healthy' },
  warning: { meaning: 'warning', label: 'Needs attention' },
  critical: { meaning: 'bad', label: 'Critical problems' },
}

/** Problems whose text does not depend on figures; the server describes the others. */
export const PROBLEMS: Record<string, string> = {
  backup_overdue: 'No complete backup in the last two days: run “atrium-server backup”.',
  backup_incomplete: 'The last backup lacks files that the file storage has lost: see its manifest.json.',
}

export const formatCount = (count: number): string =>
  count >= HEALTH_LIMITS.counted ? `${count.toLocaleString('en')} or more` : count.toLocaleString('en')

/** The waiting time; a dash for less than a second. */
export const formatLag = (seconds: number): string => (seconds < 1 ? '–' : formatDuration(seconds * 1000))

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

export const formatShare = (share: number): string => percent.format(share)
