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
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="relative">
          <select {...select} {...control} className={`h-32 appearance-none pr-32 ${CONTROL}`}>
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
