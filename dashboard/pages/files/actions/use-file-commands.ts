import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { focusRow } from '../../../frame/list-keys.ts'
import type { FileEntry } from '../files-queries.ts'
import type { RowContext } from '../listing/file-row.tsx'
import type { Selection } from '../listing/selection.ts'
import { remove, rename } from './file-actions.ts'
import type { FileCommands, Question } from './file-commands.ts'

interface Surroundings {
  items: FileEntry[]
  selection: Selection
  isFiltered: boolean
}

/** What the page does when a row, a menu or the panel asks for something. */
export function useFileCommands({ items, selection, isFiltered }: Surroundings) {
  const navigate = useNavigate()
  const [question, setQuestion] = useState<Question>()
  const [renamingId, setRenamingId] = useState<string>()

  const look = (id: string | undefined) => navigate({ to: '.', search: (now) => ({ ...now, file: id }) })
  const latest: RowCommands = {
    showDetails: (file) => void look(file.id),
    startRename: (file) => setRenamingId(file.id),
    rename: (file, name) => {
      setRenamingId(undefined)
      if (name) void rename(file, name)
      requestAnimationFrame(() => focusRow(file.id))
    },
    ask: setQuestion,
    remove: async (files) => {
      const gone = new Set(files.map(({ id }) => id))
      const next = adjacentRow(items, gone)
      selection.clear()
      void remove(files)
      await navigate({
        to: '.',
        search: (now) => (now.file && gone.has(now.file) ? { ...now, file: undefined } : now),
      })
      if (next) focusRow(next)
    },
    filterByTag: (tag) => void navigate({ to: '.', search: (now) => ({ sort: now.sort, tag }) }),
    draggedWith: (file) => (selection.ids.has(file.id) ? selection.files : [file]),
    choose: (file, how) => selection[how](file.id),
  }
  const stable = useStable(latest)
  const context = useMemo<RowContext>(
    () => ({ commands: stable, draggedWith: stable.draggedWith, choose: stable.choose, found: isFiltered }),
    [stable, isFiltered],
  )
  return { commands: stable, question, settle: () => setQuestion(undefined), renamingId, context }
}

type RowCommands = FileCommands & Pick<RowContext, 'draggedWith' | 'choose'>

/** The same functions all the while, which do what the latest ones do: a thousand rows are not drawn again for them. */
function useStable(latest: RowCommands): RowCommands {
  const ref = useRef(latest)
  useEffect(() => {
    ref.current = latest
  })
  return useMemo(
    () => ({
      showDetails: (file) => ref.current.showDetails(file),
      startRename: (file) => ref.current.startRename(file),
      rename: (file, name) => ref.current.rename(file, name),
      ask: (question) => ref.current.ask(question),
      remove: (files) => ref.current.remove(files),
      filterByTag: (tag) => ref.current.filterByTag(tag),
      draggedWith: (file) => ref.current.draggedWith(file),
      choose: (file, how) => ref.current.choose(file, how),
    }),
    [],
  )
}

/** The row that stands where the removed ones stood, so that the keys go on from there. */
function adjacentRow(items: FileEntry[], gone: ReadonlySet<string>): string | undefined {
  const last = items.findLastIndex(({ id }) => gone.has(id))
  const after = items.slice(last + 1).find(({ id }) => !gone.has(id))
  return (after ?? items.slice(0, Math.max(last, 0)).findLast(({ id }) => !gone.has(id)))?.id
}
