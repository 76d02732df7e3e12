import { WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { TimeZoneField } from '../../../components/forms/time-zone-field.tsx'
import { DAYS } from './describe-rule.ts'
import type { MatchFieldsProps } from './match-fields-props.ts'

/** At which times the rule applies. */
export function ScheduleFields({ draft, change, errorOf }: MatchFieldsProps) {
  const { hasSchedule, days, from, to, tz, holidays } = draft
  return (
    <>
      <Switch
        label="Only at certain times"
        checked={hasSchedule}
        onChange={(isOn) => change({ hasSchedule: isOn })}
      />
      {hasSchedule && (
        <>
          <fieldset className="flex flex-wrap gap-4">
            <legend className="mb-4 font-medium text-13">Days</legend>
            {WEEKDAYS.map((day) => (
              <label
                key={day}
                className="relative flex h-24 cursor-pointer items-center rounded-control border border-neutral-7 px-8 text-12 hover:border-neutral-8 has-checked:border-accent-line has-checked:bg-accent-wash has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
              >
                <input
                  type="checkbox"
                  checked={days.includes(day)}
                  onChange={({ target: { checked } }) =>
                    change({
                      days: WEEKDAYS.filter((each) => (each === day ? checked : days.includes(each))),
                    })
                  }
                  className="sr-only"
                />
                {DAYS[day]}
              </label>
            ))}
            {errorOf('schedule.days') && (
              <p className="basis-full text-12 text-bad-text">{errorOf('schedule.days')}</p>
            )}
          </fieldset>
          <div className="grid grid-cols-2 gap-16">
            <TextField
              label="From"
              type="time"
              required
              value={from}
              error={errorOf('schedule.from')}
              onChange={(event) => change({ from: event.target.value })}
            />
            <TextField
              label="To"
              type="time"
              required
              hint={from === to ? 'The whole day.' : to < from ? 'On the next day.' : undefined}
              value={to}
              error={errorOf('schedule.to')}
              onChange={(event) => change({ to: event.target.value })}
            />
          </div>
          <TimeZoneField value={tz} onChange={(zone) => change({ tz: zone })} />
          <TextField
            label="Not on these dates (optional)"
            placeholder="2026-12-25, 2027-01-01"
            autoComplete="off"
            value={holidays}
            error={errorOf('schedule.holidays')}
            onChange={(event) => change({ holidays: event.target.value })}
          />
        </>
      )}
    </>
  )
}
