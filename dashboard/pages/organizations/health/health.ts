import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { HEALTH_LIMITS, type Queue } from '../../../../contract/organizations/health-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { formatDuration } from '../../../components/amounts.ts'
import { localizeSentence } from '../../../components/server-sentences.ts'
import type { Meaning } from '../../../components/status.tsx'

export type Health = OutputOf<Contract['operations']['health']>

const REFRESH_MS = 5000

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => organizationApi.operations.health(undefined, { signal }),
  refetchInterval: REFRESH_MS,
})

const SAMPLES_REFRESH_MS = 60_000

export const samplesQuery = queryOptions({
  queryKey: ['health', 'samples'],
  queryFn: ({ signal }) => organizationApi.operations.samples(undefined, { signal }),
  refetchInterval: SAMPLES_REFRESH_MS,
})

export const LANES: Record<string, string> = {
  'sign-in': t`Sign-in emails`,
  mail: t`Other emails`,
  default: t`Short jobs`,
  bulk: t`Long jobs`,
}

export const QUEUES: Record<Queue, string> = {
  deliveries: t`Webhook deliveries`,
  runs: t`Agent runs`,
  provider_events: t`Provider events`,
  replies: t`Replies to providers`,
  emails: t`Unsent emails`,
  search: t`Search index`,
  texts: t`File texts`,
  passages: t`Passages`,
  sources: t`Synced sources`,
  embeddings: t`Embeddings`,
}

export const OUTCOMES: Record<Health['outcomes'][number]['name'], string> = {
  requests: t`Requests`,
  jobs: t`Jobs`,
  deliveries: t`Webhook deliveries`,
  modelCalls: t`Model calls`,
}

export const STATUSES: Record<Health['status'], { meaning: Meaning; label: string }> = {
  ok: { meaning: 'good', label: t`Healthy` },
  warning: { meaning: 'warning', label: t`Needs attention` },
  critical: { meaning: 'bad', label: t`Critical problems` },
}

/** Problems with fixed text. The server describes the others. */
export function describeProblem({
  code,
  message,
}: Pick<Health['problems'][number], 'code' | 'message'>): string {
  return PROBLEMS[code] ?? describeLate(code, message) ?? localizeSentence(message)
}

function describeLate(code: string, message: string): string | undefined {
  const queue = code.replace(/_late$/, '')
  const name = queue === 'jobs' ? OUTCOMES.jobs : QUEUES[queue as Queue]
  const minutes = / (\d+) minutes?$/.exec(message)?.[1]
  return name && minutes ? t`${name}: the oldest has waited for ${minutes} min` : undefined
}

const PROBLEMS: Record<string, string> = {
  backup_overdue: t`No complete backup in the last two days. Run “atrium-server backup”.`,
  backup_incomplete: t`The last backup is missing files that file storage lost. See its manifest.json.`,
}

export const formatCount = (count: number): string =>
  count >= HEALTH_LIMITS.counted ? t`${count.toLocaleString(LOCALE)} or more` : count.toLocaleString(LOCALE)

export const formatLag = (seconds: number): string => (seconds < 1 ? '–' : formatDuration(seconds * 1000))

const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })

export const formatShare = (share: number): string => percent.format(share)
