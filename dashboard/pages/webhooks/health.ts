import { LOCALE, t } from '../../../contract/text.ts'
import { formatPercent } from '../../components/amounts.ts'
import type { Webhook } from './webhooks-queries.ts'

/** For the last 24 hours. */
export function summarizeHealth({ health }: Pick<Webhook, 'health'>) {
  const succeeded = sum(health.succeeded)
  const failed = sum(health.failed)
  const attempts = succeeded + failed
  return { succeeded, failed, attempts, failureRate: attempts === 0 ? null : failed / attempts }
}

/** Never rounds to 0% or 100% while there are both failures and successes. */
export function formatRate(rate: number | null): string {
  if (rate === null) return '–'
  return formatPercent(rate < 1 && rate > 0.99 ? 0.99 : rate)
}

export function healthLabel(webhook: Pick<Webhook, 'health'>): string {
  const { succeeded, failed, attempts, failureRate } = summarizeHealth(webhook)
  if (attempts === 0) return t`No deliveries in the last 24 hours`
  const [delivered, rate] = [succeeded.toLocaleString(LOCALE), formatRate(failureRate)]
  return failed === 1
    ? t`Last 24 hours: ${delivered} delivered, 1 attempt failed (${rate})`
    : t`Last 24 hours: ${delivered} delivered, ${failed.toLocaleString(LOCALE)} attempts failed (${rate})`
}

/** Every attempt failed in the most recent hour with attempts. */
export function isFailing({ health: { succeeded, failed } }: Pick<Webhook, 'health'>): boolean {
  const last = succeeded.findLastIndex((good, index) => good + failed[index]! > 0)
  return last >= 0 && succeeded[last] === 0
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
