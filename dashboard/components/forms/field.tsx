import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { LOCALE, t } from '../../../contract/text.ts'
import { watchValidity } from './validation-message.ts'

export interface FieldTexts {
  label: string
  /** For fields whose place says what they are, such as a title. */
  labelHidden?: boolean
  hint?: ReactNode
  /** A server's error, hidden once the value changes. */
  error?: string
  /** The error follows each change, so a change doesn't hide it. */
  isLive?: boolean
  /** In characters. A longer text isn't truncated: the field is invalid. */
  limit?: number
  /** Not only near the limit. */
  counted?: boolean
}

interface Control {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  ref: (
    element: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null,
  ) => (() => void) | undefined
}

interface FieldProps extends FieldTexts {
  value?: ComponentProps<'input'>['value']
  children: (control: Control) => ReactNode
}

/** Connects label, hint and error for screen readers. Problems show here, not in a bubble. */
export function Field({
  label,
  labelHidden,
  hint,
  error,
  isLive,
  limit,
  counted,
  value,
  children,
}: FieldProps) {
  const id = useId()
  const { near, over } = limit === undefined ? {} : limitNote(String(value ?? ''), limit, counted)
  const [problem, setProblem] = useState<string>()
  const current = useCurrent(error, String(value ?? ''))
  const invalid = over ?? problem ?? (isLive ? error : current)
  const note = invalid ?? hint
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'break-words font-medium text-13'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note || near ? `${id}-note` : undefined,
        'aria-invalid': invalid ? true : undefined,
        ref: (element) => {
          element?.setCustomValidity(over ?? '')
          return element ? watchValidity(element, setProblem) : undefined
        },
      })}
      {(note || near) && (
        <div
          id={`${id}-note`}
          className={`flex flex-wrap justify-between gap-x-12 text-12 tabular-nums ${invalid ? 'text-bad-text' : 'text-neutral-11'}`}
        >
          {note && <div>{note}</div>}
          {near && <div>{near}</div>}
        </div>
      )}
    </div>
  )
}

/** The error until the value changes. */
function useCurrent(error: string | undefined, value: string): string | undefined {
  const [seen, setSeen] = useState({ error, value })
  if (seen.error !== error) setSeen({ error, value })
  return seen.error !== error || seen.value === value ? error : undefined
}

export function TextField({
  label,
  labelHidden,
  hint,
  error,
  isLive,
  limit,
  ...input
}: FieldTexts & ComponentProps<'input'>) {
  return (
    <Field {...{ label, labelHidden, hint, error, isLive, limit }} value={input.value}>
      {(control) => <input {...input} {...control} className={`h-32 ${CONTROL}`} />}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  isLive,
  limit,
  counted,
  className = '',
  ...area
}: FieldTexts & ComponentProps<'textarea'>) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      isLive={isLive}
      limit={limit}
      counted={counted}
      value={area.value}
    >
      {(control) => <textarea {...area} {...control} className={`resize-y py-8 ${CONTROL} ${className}`} />}
    </Field>
  )
}

/** For text controls. 16 px on phones: iOS zooms into anything smaller. */
export const CONTROL =
  'w-full rounded-control border border-neutral-7 bg-card px-8 text-16 sm:text-14 hover:border-neutral-8 focus-visible:border-selection focus-visible:outline-1 focus-visible:-outline-offset-1 aria-invalid:border-bad-text disabled:opacity-50'

/** As the API counts: trimmed code points (an emoji is one). */
const textLength = (text: string) => Array.from(text.trim()).length

/** Shows the count from this share. */
const NEAR = 0.9

function limitNote(text: string, limit: number, always = false): { near?: string; over?: string } {
  // A text never has more code points than UTF-16 units, so most need no count.
  if (text.length < limit * NEAR && !always) return {}
  const length = textLength(text)
  if (length > limit) {
    const excess = length - limit
    return {
      over:
        excess === 1
          ? t`1 character over the limit (${format(limit)})`
          : t`${format(excess)} characters over the limit (${format(limit)})`,
    }
  }
  return length < limit * NEAR && !always ? {} : { near: t`${format(length)} of ${format(limit)} characters` }
}

const format = (value: number) => value.toLocaleString(LOCALE)

export function submitOnModEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
