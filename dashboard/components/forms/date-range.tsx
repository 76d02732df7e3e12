import { t } from '../../../contract/text.ts'
import { InlineSelect } from './select.tsx'

/** A period up to now such as `7d`, or two days. Stored like this in the URL. */
export interface Period {
  period?: string
  from?: string
  to?: string
}

const CUSTOM = 'dates'
const PERIODS: { value: string; label: string; hours: number }[] = [
  { value: '24h', label: t`Last 24 hours`, hours: 24 },
  { value: '7d', label: t`Last 7 days`, hours: 168 },
  { value: '30d', label: t`Last 30 days`, hours: 720 },
  { value: '90d', label: t`Last 90 days`, hours: 2160 },
]

interface DateRangeProps {
  value: Period
  onChange: (value: { [F in keyof Required<Period>]: string | undefined }) => void
}

export function DateRange({ value: { period, from, to }, onChange }: DateRangeProps) {
  const isCustom = period === CUSTOM
  const dayInput = (name: 'from' | 'to', label: string) => (
    <label className="flex items-center gap-4 text-12 text-neutral-11">
      {label}
      <input
        type="date"
        value={(name === 'from' ? from : to) ?? ''}
        min={name === 'to' ? from : undefined}
        max={name === 'from' ? to : undefined}
        onChange={(event) => onChange({ period, from, to, [name]: event.target.value || undefined })}
        className="h-24 rounded-control border border-neutral-7 bg-card px-4 text-12 text-neutral-12 hover:border-neutral-8 max-sm:text-16"
      />
    </label>
  )
  return (
    <>
      <InlineSelect
        small
        label="Period"
        value={period ?? ''}
        options={[
          { value: '', label: t`Any time` },
          ...PERIODS.map(({ value, label }) => ({ value, label })),
          { value: CUSTOM, label: t`Custom…` },
        ]}
        onChoose={(chosen) => onChange({ period: chosen || undefined, from: undefined, to: undefined })}
      />
      {isCustom && dayInput('from', t`From`)}
      {isCustom && dayInput('to', t`To`)}
    </>
  )
}

const HOUR_MS = 3_600_000

/** A period that ends now begins at a full hour, so its list stays the same query. */
export function toTimeRange({ period, from, to }: Period): { from?: string; to?: string } {
  const preset = PERIODS.find(({ value }) => value === period)
  if (preset)
    return { from: new Date((Math.floor(Date.now() / HOUR_MS) - preset.hours) * HOUR_MS).toISOString() }
  return { ...(from && { from: startOf(from) }), ...(to && { to: startOf(to, 1) }) }
}

/** In the browser's time zone. */
function startOf(day: string, daysLater = 0): string | undefined {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + daysLater)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
