import { PasswordField } from '../../components/forms/password-field.tsx'
import { Status } from '../../components/status.tsx'
import { PASSWORD_LENGTH_MIN, passwordStrength } from './password-strength.ts'

interface NewPasswordFieldProps {
  label?: string
  value: string
  onChange: (password: string) => void
  error?: string
  autoFocus?: boolean
}

/** Says how the password fares while it is written. */
export function NewPasswordField({
  label = 'Password',
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
      hint={<Strength password={value} />}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function Strength({ password }: { password: string }) {
  if (!password) return `At least ${PASSWORD_LENGTH_MIN} characters. A few random words make a good one.`
  const { meaning, word } = passwordStrength(password)
  return <Status meaning={meaning}>{word}</Status>
}
