import { formatAmount, NEARLY_FULL } from '../quotas/quota-bar.tsx'

interface QuotaUsageProps {
  quota: { used: number; allowed: number }
  unit: 'items' | 'bytes'
}

/** The usage of a quota; the limit is shown if it is nearly reached. */
export function QuotaUsage({ quota: { used, allowed }, unit }: QuotaUsageProps) {
  const isClose = used >= allowed * NEARLY_FULL
  const tone = isClose ? (used >= allowed ? 'text-bad-text' : 'text-warning-text') : ''
  return (
    <span className={`whitespace-nowrap ${tone}`}>
      {formatAmount(used, unit)}
      {isClose && ` of ${formatAmount(allowed, unit)}`}
    </span>
  )
}
