import { t } from '../../../../contract/text.ts'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'

interface NewPasswordFieldProps {
  label?: string
  value: string
  onChange: (password: string) => void
  error?: string
  autoFocus?: boolean
}

export function NewPasswordField({
  label = t`Password`,
  value,
  onChange,
  error,
  autoFocus,
}: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      autoComplete="new-password"
      minLength={PASSWORD_LENGTH_MIN}
      maxLength={200}
      required
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
      value={value}
      error={error}
      hint={<PasswordHint password={value} />}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function PasswordHint({ password }: { password: string }) {
  if (!password) return t`At least ${PASSWORD_LENGTH_MIN} characters. Try a few random words.`
  const { meaning, label } = passwordStrength(password)
  return <Status meaning={meaning}>{label}</Status>
}

export const PASSWORD_LENGTH_MIN = 12
const LENGTH_STRONG = 16
const DISTINCT_MIN = 6

function passwordStrength(password: string): { meaning: Meaning; label: string } {
  const characters = Array.from(password)
  const distinct = new Set(characters).size
  if (characters.length < PASSWORD_LENGTH_MIN) {
    return {
      meaning: 'neutral',
      label: t`${characters.length} of at least ${PASSWORD_LENGTH_MIN} characters`,
    }
  }
  if (distinct < DISTINCT_MIN) return { meaning: 'warning', label: t`Easy to guess` }
  if (characters.length < LENGTH_STRONG) return { meaning: 'good', label: t`Good` }
  return { meaning: 'good', label: t`Strong` }
}
