import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { CONTROL, Field } from './field.tsx'

interface SelectProps extends ComponentProps<'select'> {
  label: string
  hint?: string
  error?: string
}

export function Select({ label, hint, error, children, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} value={select.value}>
      {(control) => (
        <div className="relative">
          <select {...select} {...control} className={`h-32 appearance-none truncate pr-32 ${CONTROL}`}>
            {children}
          </select>
          <ChevronDown
            aria-hidden
            className="icon pointer-events-none absolute top-8 right-8 text-neutral-11"
          />
        </div>
      )}
    </Field>
  )
}

interface InlineSelectProps<T extends string> {
  /** For screen readers; sighted users read the column header. */
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
  disabled?: boolean
  small?: boolean
  narrow?: boolean
}

/** For table rows. */
export function InlineSelect<T extends string>({
  label,
  value,
  options,
  onChoose,
  disabled,
  small,
  narrow,
}: InlineSelectProps<T>) {
  return (
    <span className={`relative inline-block ${narrow ? 'max-w-qr' : 'max-w-full'}`}>
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChoose(event.target.value as T)}
        className={`max-w-full appearance-none truncate rounded-control border border-neutral-7 bg-card pr-24 pl-8 hover:border-neutral-8 disabled:opacity-50 max-sm:text-16 ${small ? 'h-24 text-12 max-sm:h-32' : 'h-32 text-13'}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className={`icon pointer-events-none absolute right-4 text-neutral-11 ${small ? 'top-4 max-sm:top-8' : 'top-8'}`}
      />
    </span>
  )
}
