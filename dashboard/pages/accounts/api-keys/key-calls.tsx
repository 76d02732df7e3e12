import { Sparkline } from '../../../components/charts.tsx'
import { formatDay } from '../../../components/dates.ts'
import type { ApiKey } from './api-keys-queries.ts'

const DAY_MS = 86_400_000

/** The calls of the last days, one bar per day, and their total. */
export function KeyCalls({ apiKey: { callsPerDay }, large }: { apiKey: ApiKey; large?: boolean }) {
  const total = totalCalls(callsPerDay)
  return (
    <span className={`inline-flex items-center gap-8 ${large ? '' : 'justify-end'}`}>
      <Sparkline
        values={callsPerDay}
        label={`${formatCalls(total)} in the last ${callsPerDay.length} days`}
        titleOf={(calls, index) => `${dayOf(callsPerDay.length - 1 - index)}: ${formatCalls(calls)}`}
        className={large ? 'h-32 w-qr' : 'h-16 w-48'}
      />
      <span className={`text-right text-neutral-11 ${large ? '' : 'min-w-24'}`}>
        {large ? `${formatCalls(total)} in ${callsPerDay.length} days` : total.toLocaleString('en')}
      </span>
    </span>
  )
}

export const totalCalls = (callsPerDay: readonly number[]) =>
  callsPerDay.reduce((sum, calls) => sum + calls, 0)

const formatCalls = (calls: number) => (calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`)

const dayOf = (daysAgo: number) =>
  daysAgo === 0 ? 'Today' : formatDay(new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10))
