import { ListChecks, SquareCheck, SquareX } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { focusedRow, moveInList } from '../../../../frame/list-keys.ts'
import { usePageKeys } from '../../../../frame/page-keys.ts'
import {
  clearSelection,
  deselectMissing,
  selectedIds,
  selectOnly,
  selectTo,
  toggleSelected,
  useSelectedIds,
} from './selection.ts'

/** Selects rows by keyboard, and counts selected rows. The function `order` has a stable identity. */
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
      label: 'Select',
      keys: 'x',
      icon: SquareCheck,
      run: () => {
        const id = focusedRow()
        if (!id) return false
        toggleSelected(id)
      },
    },
    { label: 'Extend selection down', keys: 'shift+ArrowDown', icon: ListChecks, run: () => extend(1) },
    { label: 'Extend selection up', keys: 'shift+ArrowUp', icon: ListChecks, run: () => extend(-1) },
    { label: 'Select all', keys: 'mod+a', icon: ListChecks, run: () => selectOnly(order()) },
    {
      label: 'Clear selection',
      keys: 'Escape',
      icon: SquareX,
      unlisted: true,
      run: () => (selectedIds().size > 0 ? clearSelection() : false),
    },
  ])
  return { count: useSelectedIds().size, order }
}
