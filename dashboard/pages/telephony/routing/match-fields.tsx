import { useQuery } from '@tanstack/react-query'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { numbersQuery } from '../../../api/telephony/overview.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { NumberOptions } from '../numbers/number-options.tsx'
import type { MatchFieldsProps } from './match-fields-props.ts'
import { ScheduleFields } from './schedule-fields.tsx'

const CHANNELS = [
  { value: 'both', label: 'Calls and texts' },
  { value: 'voice', label: 'Calls' },
  { value: 'sms', label: 'Text messages' },
] as const

/** Which calls and messages the rule is for. */
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
          label="Number of the caller begins with (optional)"
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
            hint={draft.channel === 'both' ? 'Limits the rule to text messages.' : undefined}
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

/** Selects one number or all. With more than two numbers, several can be checked in a list. */
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
        <NumberOptions numbers={numbers} by="id" none="All numbers" />
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
