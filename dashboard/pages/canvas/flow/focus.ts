export const findBlockElement = (id: string) =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)

/** Waits until the block renders: it may be new or have been outside the viewport. */
export function focusBlock(id: string, frames = 10) {
  const element = findBlockElement(id)
  if (element) element.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusBlock(id, frames - 1))
}

/** Not in a panel, toolbar or field. */
export function isOnCanvas(element: HTMLElement | undefined): boolean {
  const focused = document.activeElement
  if (!focused || focused === document.body || focused.id === 'content') return true
  return element?.contains(focused) === true && !focused.closest('[data-beside]')
}

export const isTouchDevice = () => matchMedia('(pointer: coarse)').matches
