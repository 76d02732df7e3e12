import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { CRON_PRESETS, SCHEDULE_LIMITS } from '../../../../contract/agents/schedule-options.ts'
import { shortMessage } from '../../../api/explain.ts'
import { timesQuery } from '../../../api/schedules.ts'
import { formatMoment, localizeClock } from '../../../components/dates.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { TimeZoneField } from '../../../components/forms/time-zone-field.tsx'

interface TimingFieldsProps {
  cron: string
  timeZone: string
  onChange: (change: { cron?: string; timeZone?: string }) => void
}

const CUSTOM = 'custom'

/** When a schedule runs: a preset or an expression, with its next three times. */
export function TimingFields({ cron, timeZone, onChange }: TimingFieldsProps) {
  const [isCustom, setCustom] = useState(!CRON_PRESETS.some((preset) => preset.cron === cron))
  const times = useQuery(timesQuery(useDeferredValue(cron), timeZone))
  return (
    <>
      <Select
        label="When"
        value={isCustom ? CUSTOM : cron}
        onChange={({ target: { value } }) => {
          setCustom(value === CUSTOM)
          if (value !== CUSTOM) onChange({ cron: value })
        }}
      >
        {CRON_PRESETS.map((preset) => (
          <option key={preset.cron} value={preset.cron}>
            {localizeClock(preset.label)}
          </option>
        ))}
        <option value={CUSTOM}>Other times…</option>
      </Select>
      {isCustom && (
        <TextField
          label="Cron expression"
          required
          limit={SCHEDULE_LIMITS.cron}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          placeholder="30 8 * * MON,THU"
          hint="Minute, hour, day of the month, month, day of the week."
          error={times.error ? shortMessage(times.error) : undefined}
          value={cron}
          onChange={(event) => onChange({ cron: event.target.value })}
        />
      )}
      <TimeZoneField value={timeZone} onChange={(zone) => onChange({ timeZone: zone })} />
      {times.data && !times.error && (
        <p aria-live="polite" className="text-13 text-neutral-11">
          {localizeClock(times.data.description)}, next:{' '}
          {times.data.nextRuns.map((time) => formatMoment(time, { timeZone })).join(' · ')}
        </p>
      )}
    </>
  )
}
