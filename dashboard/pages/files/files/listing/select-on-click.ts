import type { MouseEvent } from 'react'

export type SelectMode = 'toggle' | 'extend'

/** Selects instead of opening: up to this file with Shift, this file too with Ctrl or the command key. */
export const selectOnClick = (select: (mode: SelectMode) => void) => (event: MouseEvent) => {
  const mode = event.shiftKey ? 'extend' : event.metaKey || event.ctrlKey ? 'toggle' : undefined
  if (!mode || (event.target as HTMLElement).closest('button, input')) return
  event.preventDefault()
  select(mode)
}
