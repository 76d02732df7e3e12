import type { KeyboardEvent } from 'react'

/** Cmd+Enter or Ctrl+Enter sends what is being written. */
export const sendsOnModEnter = (send: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  send()
}
