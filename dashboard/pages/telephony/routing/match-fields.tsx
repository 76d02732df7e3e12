import { useQuery } from '@tanstack/react-query'
import { TELEPHONY_LIMITS, WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { TimeZoneField } from '../../../components/forms/time-zone-field.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { NumberOptions } from '../numbers/number-options.tsx'
import { numbersQuery } from '../telephony-queries.ts'
import { DAYS } from './describe-rule.ts'
import type { RuleDraft } from './rule-draft.ts'

const CHANNELS = [
  { value: 'both', label: t`Calls and texts` },
  { value: 'voice', label: t`Calls` },
  { value: 'sms', label: t`Text messages` },
] as const

export function MatchFields(props: MatchFieldsProps) {
  const { draft, change, errorOf } = props
  return (
    <fieldset className="flex min-w-0 flex-col gap-16 border-neutral-6 border-t pt-16">
      <legend className="sr-only">When it applies</legend>
      <Segments
        label="Channel"
        value={draft.channel}
        options={CHANNELS}
        onChoose={(channel) => change({ channel })}
      />
      <NumberField {...props} />
      <div className="grid gap-16 sm:grid-cols-2">
        <TextField
          label="Caller’s number starts with (optional)"
          placeholder="+49"
          autoComplete="off"
          value={draft.callerPrefix}
          error={errorOf('callerPrefix')}
          onChange={(event) => change({ callerPrefix: event.target.value })}
        />
        {draft.channel !== 'voice' && (
          <TextField
            label="Text contains (optional)"
            limit={TELEPHONY_LIMITS.contains}
            autoComplete="off"
            hint={draft.channel === 'both' ? t`Limits the rule to text messages.` : undefined}
            value={draft.contains}
            error={errorOf('contains')}
            onChange={(event) => change({ contains: event.target.value })}
          />
        )}
      </div>
      <ScheduleFields {...props} />
    </fieldset>
  )
}

function NumberField({ draft, change, errorOf }: MatchFieldsProps) {
  const numbers = useQuery(numbersQuery).data ?? []
  const { numberIds } = draft
  const error = errorOf('numberIds')
  if (numbers.length < 2 && numberIds.length === 0) return null
  if (numbers.length === 2 || numberIds.length < 2) {
    return (
      <Select
        label="Numbers"
        value={numberIds.length === 1 ? numberIds[0] : numberIds.length > 1 ? 'several' : ''}
        error={error}
        onChange={({ target: { value } }) =>
          change({ numberIds: value === 'several' ? numbers.map(({ id }) => id) : value ? [value] : [] })
        }
      >
        <NumberOptions numbers={numbers} by="id" none={t`All numbers`} />
        {numbers.length > 2 && <option value="several">Several…</option>}
      </Select>
    )
  }
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-4 font-medium text-13">Numbers</legend>
      {numbers.map(({ id, e164, label }) => (
        <label key={id} className="flex items-center gap-8 text-13">
          <input
            type="checkbox"
            checked={numberIds.includes(id)}
            onChange={({ target: { checked } }) =>
              change({ numberIds: checked ? [...numberIds, id] : numberIds.filter((other) => other !== id) })
            }
            className="icon"
          />
          {label ? `${label} · ${e164}` : e164}
        </label>
      ))}
      {error && <p className="text-12 text-bad-text">{error}</p>}
    </fieldset>
  )
}

function ScheduleFields({ draft, change, errorOf }: MatchFieldsProps) {
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
                className="relative flex h-24 cursor-pointer items-center rounded-control border border-neutral-7 px-8 text-12 hover:border-neutral-8 has-checked:border-selection-line has-checked:bg-selection-wash has-checked:text-selection-text has-focus-visible:outline-2 has-focus-visible:outline-selection"
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
              label="Until"
              type="time"
              required
              hint={from === to ? t`All day.` : to < from ? t`Next day.` : undefined}
              value={to}
              error={errorOf('schedule.to')}
              onChange={(event) => change({ to: event.target.value })}
            />
          </div>
          <TimeZoneField value={tz} onChange={(zone) => change({ tz: zone })} />
          <TextField
            label="Except on (optional)"
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

interface MatchFieldsProps {
  draft: RuleDraft
  change: (next: Partial<RuleDraft>) => void
  errorOf: (path: string) => string | undefined
}
