import { PasswordField } from '../../../components/forms/password-field.tsx'
import { Status } from '../../../components/status.tsx'
import { PASSWORD_LENGTH_MIN, passwordStrength } from './password-strength.ts'

interface NewPasswordFieldProps {
  label?: string
  value: string
  onChange: (password: string) => void
  error?: string
  autoFocus?: boolean
}

/** A password field that shows the strength as the user types. */
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
      hint={<PasswordHint password={value} />}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** The strength of the password; the rule for it before the user types. */
export function PasswordHint({ password }: { password: string }) {
  if (!password) return `At least ${PASSWORD_LENGTH_MIN} characters. Try a few random words.`
  const { meaning, label } = passwordStrength(password)
  return <Status meaning={meaning}>{label}</Status>
}
