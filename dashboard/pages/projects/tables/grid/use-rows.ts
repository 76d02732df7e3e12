import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { queryClient } from '../../../../api/query-client.ts'
import {
  ROWS_PER_PART,
  type RowGrouping,
  type RowPage,
  type RowSelection,
  rowCountQuery,
  rowGroupsQuery,
  rowsQuery,
  type Table,
  type TableRow,
} from '../../../../api/tables.ts'
import { type Lines, layOut } from './lines.ts'
import type { PendingCells, RowWriter } from './row-writer.ts'

export interface Rows {
  lines: Lines
  /** Of all rows, also in collapsed groups. */
  count: number
  isLoading: boolean
  error: unknown
  retry: () => void
  /** Undefined for a group's header, and for a row that isn't loaded. */
  rowAt: (line: number) => TableRow | undefined
  /** Rows on these lines, also those that weren't on screen. */
  load: (lines: readonly number[]) => Promise<TableRow[]>
}

export interface ShownRows {
  selection: RowSelection
  group: RowGrouping | undefined
  collapsed: ReadonlySet<string>
  /** Lines on screen. */
  range: readonly [number, number]
}

/** More would need a second aggregation. */
const SUMMED_COLUMNS_MAX = 9

export const summedColumns = ({ columns }: Table): string[] =>
  columns
    .filter(({ type }) => type === 'number' || type === 'money')
    .map(({ id }) => id)
    .slice(0, SUMMED_COLUMNS_MAX)

const isPlain = ({ filter, search }: RowSelection) => !filter && !search

/** Reads the parts that are on screen, wherever the user scrolls. */
export function useRows(table: Table, writer: RowWriter, shown: ShownRows): Rows {
  const { selection, group, collapsed } = shown
  const [first, last] = shown.range
  const counted = useQuery({ ...rowCountQuery(table.id, selection), enabled: !isPlain(selection) })
  const count = isPlain(selection) ? table.rowCount : (counted.data ?? 0)
  const grouped = useQuery({
    ...rowGroupsQuery(table.id, selection, group ?? { column: '' }, summedColumns(table)),
    enabled: group !== undefined,
    placeholderData: (previous, query) => (isGroupedBy(query?.queryKey[3], group) ? previous : undefined),
  })
  const groups = group ? grouped.data : null
  const lines = useMemo(() => layOut(groups ? count : 0, groups ?? [], collapsed), [count, groups, collapsed])
  const plain = useMemo(() => layOut(count, null, collapsed), [count, collapsed])
  const current = groups === null ? plain : lines
  const parts = useMemo(() => partsOf(current, first, last), [current, first, last])
  const results = useQueries({
    queries: parts.map((part) => rowsQuery(table.id, { ...selection, group }, part)),
  })
  const pending = writer.pending.use()
  const read = new Map(parts.map((part, index) => [part, results[index]?.data]))
  const pages = useLastPages(read, JSON.stringify(group))
  const failed = results.find((result) => result.error && !result.data) ?? (group && grouped)
  return {
    lines: current,
    count,
    isLoading:
      results.some(({ data }) => !data) || groups === undefined || (counted.isPending && !isPlain(selection)),
    error: failed?.error && !failed.data ? failed.error : null,
    retry: () => void queryClient.invalidateQueries({ queryKey: ['tables'] }),
    rowAt(line) {
      const index = current.rowOf(line)
      if (index === null) return undefined
      const part = Math.floor(index / ROWS_PER_PART)
      const { queryKey } = rowsQuery(table.id, { ...selection, group }, part)
      const page = read.get(part) ?? queryClient.getQueryData<RowPage>(queryKey) ?? pages.get(part)
      const row = page?.items[index % ROWS_PER_PART]
      return row && withPending(row, pending.get(row.id))
    },
    async load(wanted) {
      const indexes = wanted.flatMap((line) => current.rowOf(line) ?? [])
      const needed = [...new Set(indexes.map((index) => Math.floor(index / ROWS_PER_PART)))]
      const loaded = new Map<number, RowPage>()
      for (const part of needed)
        loaded.set(part, await queryClient.fetchQuery(rowsQuery(table.id, { ...selection, group }, part)))
      return indexes.flatMap((index) => {
        const row = loaded.get(Math.floor(index / ROWS_PER_PART))?.items[index % ROWS_PER_PART]
        return row ? [withPending(row, writer.pending.get().get(row.id))] : []
      })
    },
  }
}

const isGroupedBy = (key: unknown, group: RowGrouping | undefined) =>
  JSON.stringify((key as { group?: RowGrouping } | undefined)?.group) === JSON.stringify(group)

/** Of the rows on these lines. Rows of collapsed groups between them aren't read. */
function partsOf({ rowOf }: Lines, first: number, last: number): number[] {
  const parts = new Set<number>()
  for (let line = first; line <= last; line++) {
    const index = rowOf(line)
    if (index !== null) parts.add(Math.floor(index / ROWS_PER_PART))
  }
  return [...parts].toSorted((a, b) => a - b)
}

/** Another order or filter replaces rows without an empty moment. */
function useLastPages(
  pages: ReadonlyMap<number, RowPage | undefined>,
  grouping: string | undefined,
): ReadonlyMap<number, RowPage> {
  const last = useRef({ grouping, pages: new Map<number, RowPage>() })
  useEffect(() => {
    const loaded = [...pages].filter((entry): entry is [number, RowPage] => entry[1] !== undefined)
    if (loaded.length > 0) last.current = { grouping, pages: new Map(loaded) }
  })
  // oxlint-disable-next-line react/refs -- what the last render showed, until the new pages arrive.
  return last.current.grouping === grouping ? last.current.pages : NONE
}

const NONE: ReadonlyMap<number, RowPage> = new Map()

const shownRows = new WeakMap<TableRow, { pending: PendingCells; row: TableRow }>()

/** With changes that aren't saved yet. The same row for the same changes, so that it isn't drawn again. */
export function withPending(row: TableRow, pending: PendingCells | undefined): TableRow {
  if (!pending) return row
  const known = shownRows.get(row)
  if (known?.pending === pending) return known.row
  const changed = Object.fromEntries([...pending].map(([column, { value }]) => [column, value]))
  const shown = { pending, row: { ...row, values: { ...row.values, ...changed } } }
  shownRows.set(row, shown)
  return shown.row
}
