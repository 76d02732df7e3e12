import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { queryClient } from '../../../../api/query-client.ts'
import {
  ROWS_PER_PART,
  type RowPage,
  type RowSelection,
  rowCountQuery,
  rowsKey,
  rowsQuery,
  type Table,
  type TableColumn,
  type TableRow,
} from '../../../../api/tables.ts'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { readChanges } from '../follow-table.ts'

export interface CellChange {
  /** Null for a new row. */
  rowId: string | null
  /** New rows with the same number are one row. */
  newRow?: number
  column: TableColumn
  value: unknown
}

export interface Rows {
  count: number
  isLoading: boolean
  error: unknown
  retry: () => void
  rowAt: (index: number) => TableRow | undefined
}

const isPlain = ({ filter, search }: RowSelection) => !filter && !search

/** Reads the parts that are on screen, wherever the user scrolls. */
export function useRows(table: Table, selection: RowSelection, [first, last]: [number, number]): Rows {
  const counted = useQuery({ ...rowCountQuery(table.id, selection), enabled: !isPlain(selection) })
  const count = isPlain(selection) ? table.rowCount : (counted.data ?? 0)
  const parts = useMemo(() => {
    const [from, to] = [Math.floor(first / ROWS_PER_PART), Math.floor(Math.max(first, last) / ROWS_PER_PART)]
    return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  }, [first, last])
  const results = useQueries({
    queries: parts.map((part) => ({ ...rowsQuery(table.id, selection, part), placeholderData: keepShown })),
  })
  const pages = new Map(parts.map((part, index) => [part, results[index]?.data]))
  const error = results.find((result) => result.error && !result.data)?.error ?? null
  return {
    count,
    isLoading: results.some(({ data }) => !data) || (counted.isPending && !isPlain(selection)),
    error,
    retry: () => void queryClient.invalidateQueries({ queryKey: rowsKey(table.id) }),
    rowAt: (index) => pages.get(Math.floor(index / ROWS_PER_PART))?.items[index % ROWS_PER_PART],
  }
}

/** Another order or filter replaces rows without an empty moment. */
const keepShown = (previous: RowPage | undefined) => previous

const ROWS_PER_CALL = 1000
const UNDO_STEPS_MAX = 100

/** Changes are shown at once, and taken back if the server refuses them. */
export function createRowWriter(tableId: string, onChanged: () => void) {
  // Each step is one action, which may take several calls.
  const undoable: number[][] = []
  const redoable: number[][] = []

  async function write(work: () => Promise<number[]>): Promise<boolean> {
    try {
      undoable.push(await work())
      if (undoable.length > UNDO_STEPS_MAX) undoable.shift()
      redoable.length = 0
      await readChanges(tableId)
      onChanged()
      return true
    } catch (error) {
      toastFailure(error)
      void queryClient.invalidateQueries({ queryKey: rowsKey(tableId) })
      return false
    }
  }

  async function step(from: number[][], to: number[][], nothing: string): Promise<void> {
    const seqs = from.pop()
    if (!seqs) {
      toast(nothing)
      return
    }
    try {
      const undone: number[] = []
      for (const seq of seqs.toReversed()) undone.push((await api.tables.undo({ id: tableId, seq })).seq)
      to.push(undone)
      await readChanges(tableId)
      onChanged()
    } catch (error) {
      toastFailure(error)
    }
  }

  return {
    setCells(changes: readonly CellChange[]): Promise<boolean> {
      showNow(tableId, changes)
      return write(async () => {
        const seqs: number[] = []
        const rows = [...Map.groupBy(changes, ({ rowId, newRow }) => rowId ?? `new ${newRow ?? 0}`).values()]
        for (let at = 0; at < rows.length; at += ROWS_PER_CALL) {
          const batch = rows.slice(at, at + ROWS_PER_CALL).map((cells) => ({
            ...(cells[0]!.rowId !== null && { id: cells[0]!.rowId }),
            values: Object.fromEntries(cells.map(({ column, value }) => [column.id, value])),
          }))
          seqs.push((await api.tables.upsert({ id: tableId, rows: batch })).seq)
        }
        return seqs
      })
    },
    addRow: (values: Record<string, unknown> = {}) =>
      write(async () => [(await api.tables.upsert({ id: tableId, rows: [{ values }] })).seq]),
    removeRows: (ids: string[]) =>
      write(async () => [(await api.tables.removeRows({ id: tableId, ids })).seq]),
    undo: () => step(undoable, redoable, t`Nothing to undo`),
    redo: () => step(redoable, undoable, t`Nothing to redo`),
  }
}

export type RowWriter = ReturnType<typeof createRowWriter>

function showNow(tableId: string, changes: readonly CellChange[]): void {
  const byRow = Map.groupBy(
    changes.filter(({ rowId }) => rowId !== null),
    ({ rowId }) => rowId!,
  )
  queryClient.setQueriesData<RowPage>(
    { queryKey: rowsKey(tableId) },
    (page) =>
      page && {
        ...page,
        items: page.items.map((row) => {
          const cells = byRow.get(row.id)
          return cells ? { ...row, values: { ...row.values, ...shownValues(cells) } } : row
        }),
      },
  )
}

const shownValues = (cells: readonly CellChange[]) =>
  Object.fromEntries(
    cells.map(({ column, value }) => [
      column.id,
      column.type === 'number' && value !== null ? Number(value) : value,
    ]),
  )
