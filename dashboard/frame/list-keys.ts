/**
 * Moves through the rows of the list on the screen: from the focused row, else from the open one. While a panel is
 * open the next row opens in it, so that a queue can be read without leaving the keys; but not a row that leads to
 * another list.
 */
export function moveInList(step: 1 | -1): true {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const focused = links.indexOf(document.activeElement as HTMLElement)
  const here = focused >= 0 ? focused : links.findIndex((link) => link.closest('[aria-current="true"]'))
  const next = links[here < 0 ? 0 : Math.min(Math.max(here + step, 0), links.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  if (next && !('leadsOn' in next.dataset) && document.querySelector('[data-panel]')) next.click()
  return true
}

/** The id of the row that has the focus, wherever in it. */
export const focusedRow = () =>
  document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-row-link]')?.dataset.rowLink

/** Gives focus back to the row whose panel was closed. */
export function focusRow(id: string) {
  document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(id)}"]`)?.focus()
}
