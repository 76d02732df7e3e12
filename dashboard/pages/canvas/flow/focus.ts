/** The element that shows a block, if it is in sight. */
export const elementOf = (id: string) =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)

/** Gives a block the focus as soon as it is drawn: it may just have been made, or have been out of sight. */
export function focusBlock(id: string, tries = 10) {
  const element = elementOf(id)
  if (element) element.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusBlock(id, tries - 1))
}

/** Whether keys that act on blocks are meant for the canvas, rather than for a panel or a field beside it. */
export function isOnCanvas(element: HTMLElement | undefined): boolean {
  const focused = document.activeElement
  if (!focused || focused === document.body || focused.id === 'content') return true
  return element?.contains(focused) === true && !focused.closest('[data-beside]')
}
