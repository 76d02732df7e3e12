import { t } from '../../../../contract/text.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { type StepDraft, UNITS, type Unit } from './step-draft.ts'

export interface StepFieldsProps {
  draft: StepDraft
  change: (part: Partial<StepDraft>) => void
}

const UNIT_LABELS: Record<Unit, string> = {
  seconds: t`Seconds`,
  minutes: t`Minutes`,
  hours: t`Hours`,
  days: t`Days`,
}

export function WaitFields({ draft, change }: StepFieldsProps) {
  const { waitFor, amount, unit, until, eventType } = draft
  return (
    <>
      <Select
        label="Wait for"
        value={waitFor}
        onChange={(event) => change({ waitFor: event.target.value as StepDraft['waitFor'] })}
      >
        <option value="time">A time</option>
        <option value="date">A date</option>
        <option value="event">An event</option>
      </Select>
      {waitFor === 'event' && (
        <TextField
          label="Event type"
          hint="Such as file.created, or the type of a webhook’s event."
          limit={200}
          value={eventType}
          onChange={(event) => change({ eventType: event.target.value })}
        />
      )}
      {waitFor === 'date' ? (
        <TextField
          label="Continue at"
          type="datetime-local"
          value={until}
          onChange={(event) => change({ until: event.target.value })}
        />
      ) : (
        <div className="grid grid-cols-2 gap-12">
          <TextField
            label={waitFor === 'event' ? t`Fail after` : t`Time`}
            type="number"
            min={1}
            value={amount}
            onChange={(event) => change({ amount: event.target.value })}
          />
          <Select
            label="Unit"
            value={unit}
            onChange={(event) => change({ unit: event.target.value as Unit })}
          >
            {(Object.keys(UNITS) as Unit[]).map((name) => (
              <option key={name} value={name}>
                {UNIT_LABELS[name]}
              </option>
            ))}
          </Select>
        </div>
      )}
    </>
  )
}
