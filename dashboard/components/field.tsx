import { type ComponentProps, type ReactNode, useId } from 'react'

interface Described {
  label: string
  hint?: ReactNode
  error?: string
}

/** A label above its control, with a hint or what is wrong below it; the three are tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  children,
}: Described & {
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex flex-col gap-4">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note && (
        <div id={`${id}-note`} className={`text-12 ${error ? 'text-bad-text' : 'text-neutral-11'}`}>
          {note}
        </div>
      )}
    </div>
  )
}

export function TextField({ label, hint, error, ...input }: Described & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...input} {...control} className={`h-32 ${CONTROL}`} />}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  className = '',
  ...area
}: Described & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <textarea {...area} {...control} className={`resize-y py-8 ${CONTROL} ${className}`} />}
    </Field>
  )
}

/** The edge of everything that takes text. 16 px on phones, because iOS zooms into anything smaller. */
export const CONTROL =
  'w-full rounded-control border border-neutral-7 bg-neutral-1 px-8 text-16 sm:text-14 hover:border-neutral-8 focus-visible:border-accent-text focus-visible:outline-1 focus-visible:-outline-offset-1 aria-invalid:border-bad-text disabled:opacity-50'
