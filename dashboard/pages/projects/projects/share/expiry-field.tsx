import { t } from '../../../../../contract/text.ts'
import { formatMoment } from '../../../../components/dates.ts'
import { TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'

interface ExpiryFieldProps {
  value: Expiry
  onChange: (value: Expiry) => void
  /** An existing link's expiry. */
  current?: string | null
}

const CHOICES: { value: Expiry['choice']; label: string }[] = [
  { value: 'never', label: t`Never` },
  { value: '1', label: t`In 1 day` },
  { value: '7', label: t`In 7 days` },
  { value: '30', label: t`In 30 days` },
  { value: 'date', label: t`Custom date` },
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

const DAY_MS = 86_400_000

export interface Expiry {
  choice: 'keep' | 'never' | '1' | '7' | '30' | 'date'
  /** A date input's value, `2027-01-31`. */
  date: string
}

/** Undefined leaves it unchanged. A date expires at its end in the local time zone. */
export function toExpiresAt({ choice, date }: Expiry): string | null | undefined {
  if (choice === 'keep') return undefined
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

/** As a date input's value: the earliest selectable date. */
function today(): string {
  const now = new Date()
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`
}
