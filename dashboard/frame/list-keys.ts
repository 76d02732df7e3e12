/**
 * Starts from the focused row, else from the open panel's row. An open panel shows the new row, unless it navigates to
 * another list (`data-leads-on`).
 */
export function moveInList(step: 1 | -1): true {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const focused = links.indexOf(document.activeElement as HTMLElement)
  const current = focused >= 0 ? focused : links.findIndex((link) => link.closest('[aria-current="true"]'))
  const next = links[current < 0 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  if (next && !('leadsOn' in next.dataset) && document.querySelector('[data-panel]')) next.click()
  return true
}

export const focusedRow = () =>
  document.activeElement?.closest('tr, [data-row]')?.querySelector<HTMLElement>('[data-row-link]')?.dataset
    .rowLink

export function focusRow(id: string) {
  document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(id)}"]`)?.focus()
}
