import type { KeyboardEvent } from 'react'

/** Cmd+Enter or Ctrl+Enter submits the form of a text area. */
export function submitOnModEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
