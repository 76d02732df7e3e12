import type { ComponentProps, ReactNode } from 'react'
import { CONTROL, Field } from './field.tsx'

const DIGITS = 6

interface CodeFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string
  hint?: ReactNode
  error?: string
  value: string
  onChange: (code: string) => void
  /** Called with the sixth digit, so the form can submit. */
  onComplete: (code: string) => void
}

export function CodeField({ label, hint, error, value, onChange, onComplete, ...input }: CodeFieldProps) {
  const write = (text: string) => {
    const code = text.replace(/\D/g, '').slice(0, DIGITS)
    onChange(code)
    if (code.length === DIGITS && code !== value) onComplete(code)
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...input}
          {...control}
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="000000"
          required
          value={value}
          onChange={(event) => write(event.target.value)}
          className={`h-row font-mono tabular-nums ${CONTROL}`}
        />
      )}
    </Field>
  )
}
