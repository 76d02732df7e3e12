import { ListChecks, SquareCheck, SquareX } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { t } from '../../../../../contract/text.ts'
import { focusedRow, moveInList } from '../../../../frame/list-keys.ts'
import { usePageKeys } from '../../../../frame/page-keys.ts'
import { createStore } from '../../../../state/store.ts'

interface Selection {
  ids: ReadonlySet<string>
  /** Where a range begins: the last selected row. */
  anchor: string | undefined
}

const NONE: Selection = { ids: new Set(), anchor: undefined }

/** A store, so a change rerenders the affected boxes and not the list. */
const selection = createStore<Selection>(NONE)

export const useIsSelected = (id: string) => selection.useSelect(({ ids }) => ids.has(id))
export const useSelectedIds = () => selection.useSelect(({ ids }) => ids)
export const selectedIds = () => selection.get().ids

export const clearSelection = () => selection.set(NONE)

export const selectOnly = (ids: readonly string[]) => selection.set({ ids: new Set(ids), anchor: ids.at(-1) })

export function toggleSelected(id: string): void {
  const ids = new Set(selection.get().ids)
  if (!ids.delete(id)) ids.add(id)
  selection.set({ ids, anchor: id })
}

export function selectTo(id: string, order: readonly string[]): void {
  const { ids, anchor } = selection.get()
  const start = anchor !== undefined && order.includes(anchor) ? anchor : id
  const [from, to] = [order.indexOf(start), order.indexOf(id)].toSorted((a, b) => a - b)
  selection.set({ ids: new Set([...ids, ...order.slice(from, to! + 1)]), anchor: start })
}

export function deselectMissing(order: readonly string[]): void {
  const { ids, anchor } = selection.get()
  const kept = order.filter((id) => ids.has(id))
  if (kept.length < ids.size) selection.set({ ids: new Set(kept), anchor })
}

/** `order` has a stable identity. */
export function useSelection(items: readonly { id: string }[]) {
  const ids = useMemo(() => items.map(({ id }) => id), [items])
  const latest = useRef(ids)
  useEffect(() => {
    latest.current = ids
    deselectMissing(ids)
  }, [ids])
  useEffect(() => clearSelection, [])
  const order = useCallback(() => latest.current, [])
  const extend = (step: 1 | -1) => {
    const from = focusedRow()
    if (!from) return false
    selectTo(from, order())
    moveInList(step)
    const to = focusedRow()
    if (to) selectTo(to, order())
  }
  usePageKeys([
    {
      label: t`Select`,
      keys: 'x',
      icon: SquareCheck,
      run: () => {
        const id = focusedRow()
        if (!id) return false
        toggleSelected(id)
      },
    },
    { label: t`Extend selection down`, keys: 'shift+ArrowDown', icon: ListChecks, run: () => extend(1) },
    { label: t`Extend selection up`, keys: 'shift+ArrowUp', icon: ListChecks, run: () => extend(-1) },
    { label: t`Select all`, keys: 'mod+a', icon: ListChecks, run: () => selectOnly(order()) },
    {
      label: t`Clear selection`,
      keys: 'Escape',
      icon: SquareX,
      unlisted: true,
      run: () => (selectedIds().size > 0 ? clearSelection() : false),
    },
  ])
  return { count: useSelectedIds().size, order }
}
