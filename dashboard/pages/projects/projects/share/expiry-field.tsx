import { formatMoment } from '../../../../components/dates.ts'
import { TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { type Expiry, today } from './expiry.ts'

interface ExpiryFieldProps {
  value: Expiry
  onChange: (value: Expiry) => void
  /** The expiry of an existing link. */
  current?: string | null
}

const CHOICES: { value: Expiry['choice']; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: 'date', label: 'Custom date' },
]

export function ExpiryField({ value, onChange, current }: ExpiryFieldProps) {
  return (
    <>
      <Select
        label="Expires"
        value={value.choice}
        onChange={(event) => onChange({ ...value, choice: event.target.value as Expiry['choice'] })}
      >
        {current && <option value="keep">{formatMoment(current)} (current)</option>}
        {CHOICES.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </Select>
      {value.choice === 'date' && (
        <TextField
          label="Last day"
          type="date"
          required
          min={today()}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
        />
      )}
    </>
  )
}
