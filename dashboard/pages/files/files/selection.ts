import { type MouseEvent, useRef, useState } from 'react'
import type { FileEntry } from './files-queries.ts'

/** Clears when another list is shown, and never contains rows outside the list. */
export function useSelection<T extends FileEntry>(items: T[], listKey: string) {
  const [selected, setSelected] = useState<{ key: string; ids: ReadonlySet<string> }>({ key: '', ids: NONE })
  const anchor = useRef<string>(undefined)
  const ids = selected.key === listKey ? selected.ids : NONE
  const set = (next: ReadonlySet<string>) => setSelected({ key: listKey, ids: next })

  const toggle = (id: string) => {
    anchor.current = id
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    set(next)
  }
  return {
    ids,
    files: ids.size > 0 ? items.filter(({ id }) => ids.has(id)) : [],
    toggle,
    extend(id: string) {
      const from = items.findIndex((item) => item.id === anchor.current)
      const to = items.findIndex((item) => item.id === id)
      if (from < 0) return toggle(id)
      const range = items.slice(Math.min(from, to), Math.max(from, to) + 1)
      set(new Set([...ids, ...range.map((item) => item.id)]))
    },
    selectAll: () => set(new Set(items.map(({ id }) => id))),
    clear: () => set(NONE),
  }
}

export type Selection<T extends FileEntry = FileEntry> = ReturnType<typeof useSelection<T>>

const NONE: ReadonlySet<string> = new Set()

export type SelectMode = 'toggle' | 'extend'

/** Selects instead of opening: Shift extends to this file, Ctrl or ⌘ toggles it. */
export const selectOnClick = (select: (mode: SelectMode) => void) => (event: MouseEvent) => {
  const mode = event.shiftKey ? 'extend' : event.metaKey || event.ctrlKey ? 'toggle' : undefined
  if (!mode || (event.target as HTMLElement).closest('button, input')) return
  event.preventDefault()
  select(mode)
}
