import type { KeyboardEvent } from 'react'

/** Cmd+Enter or Ctrl+Enter sends what is being written, as the button of its form would. */
export function submitOnModEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
