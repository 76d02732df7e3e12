import { t } from '../../../contract/text.ts'
import { formatDate } from '../dates.ts'

export interface Checked {
  type: string
  validity: Partial<ValidityState>
  validationMessage: string
  title?: string
  min?: string
  max?: string
  minLength?: number
  /** `missing`: what to say if the required value is missing. */
  dataset?: { missing?: string }
}

export function validationMessage(control: Checked): string {
  const { type, validity, min = '', max = '' } = control
  if (validity.customError) return control.validationMessage
  if (validity.valueMissing) return control.dataset?.missing ?? MISSING[type] ?? t`Fill in this field.`
  if (validity.badInput) return type === 'number' ? t`Enter a number.` : t`Enter a complete date or time.`
  if (validity.typeMismatch)
    return type === 'email'
      ? t`Enter an email address, such as ada@example.com.`
      : t`Enter a full URL that starts with https:// or http://.`
  if (validity.tooShort) return t`Enter at least ${control.minLength!} characters.`
  if (validity.tooLong) return t`This text is too long.`
  if (validity.rangeUnderflow)
    return type === 'date' ? t`Choose ${dayLabel(min)} or later.` : t`Enter ${min} or more.`
  if (validity.rangeOverflow)
    return type === 'date' ? t`Choose ${dayLabel(max)} or earlier.` : t`Enter ${max} or less.`
  if (validity.stepMismatch) return t`Enter a whole number.`
  return control.title || t`This value doesn’t have the expected format.`
}

const MISSING: Record<string, string> = {
  'select-one': t`Choose an option.`,
  checkbox: t`Check this box to continue.`,
  date: t`Choose a date.`,
  time: t`Enter a time.`,
  file: t`Choose a file.`,
}

const dayLabel = (date: string) => formatDate(new Date(`${date}T12:00:00`))

/**
 * Replaces the browser's bubbles: reports problems on leaving a filled-in control or submitting. Returns a function
 * that stops it.
 */
export function watchValidity(
  control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  report: (problem: string | undefined) => void,
): () => void {
  const onInvalid = (event: Event) => {
    event.preventDefault()
    report(validationMessage(control))
    if (control.form?.querySelector(':invalid:not(fieldset)') === control) control.focus()
  }
  const onBlur = () => {
    if (control.value !== '' && !control.validity.valid) report(validationMessage(control))
  }
  // Deferred: this listener runs before React's, and rendering in between would restore the former value.
  const onInput = () =>
    setTimeout(() => {
      if (control.validity.valid) report(undefined)
    })
  control.addEventListener('invalid', onInvalid)
  control.addEventListener('blur', onBlur)
  control.addEventListener('input', onInput)
  return () => {
    control.removeEventListener('invalid', onInvalid)
    control.removeEventListener('blur', onBlur)
    control.removeEventListener('input', onInput)
  }
}
