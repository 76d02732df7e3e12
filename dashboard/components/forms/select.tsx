import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { CONTROL, Field } from './field.tsx'

interface SelectProps extends ComponentProps<'select'> {
  label: string
  hint?: string
}

export function Select({ label, hint, children, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint}>
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
