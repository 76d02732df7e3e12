import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

export type Table = OutputOf<Contract['tables']['get']>
export type TableColumn = Table['columns'][number]
export type TableRow = OutputOf<Contract['tables']['row']>
export type TableView = OutputOf<Contract['tables']['views']>['items'][number]
export type TableChange = OutputOf<Contract['tables']['changes']>['items'][number]
export type ImportResult = OutputOf<Contract['tables']['import']>
export type RowPage = OutputOf<Contract['tables']['rows']>
type Settings = TableView['settings']

/** Rows per request. A grid reads the parts that are on screen. */
export const ROWS_PER_PART = 200

export interface RowSelection {
  filter?: Settings['filter'] | undefined
  sort?: Settings['sort'] | undefined
  search?: string | undefined
}

export type RowGrouping = NonNullable<Settings['group']>

/** Rows with the same value, or with dates in the same month. */
export interface RowGroup {
  /** As in rows; null for an empty cell. */
  key: unknown
  count: number
  /** By column; decimal strings. */
  sums: Readonly<Record<string, string | null>>
}

/** As the API's query parameters. */
export const selectionParameters = ({ filter, sort, search }: RowSelection) => ({
  ...(filter && { filter: JSON.stringify(filter) }),
  ...(sort && sort.length > 0 && { sort: JSON.stringify(sort) }),
  ...(search && { search }),
})

export const tablesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['tables', 'list', projectId],
    queryFn: async ({ signal }) => (await api.tables.list({ projectId }, { signal })).items,
  })

export const tableQuery = (id: string) =>
  queryOptions({
    queryKey: ['tables', 'item', id],
    queryFn: ({ signal }) => api.tables.get({ id }, { signal }),
  })

export const tableViewsQuery = (id: string) =>
  queryOptions({
    queryKey: ['tables', 'views', id],
    queryFn: async ({ signal }) => (await api.tables.views({ id }, { signal })).items,
  })

export const rowsKey = (id: string) => ['tables', 'rows', id] as const

/** The third part of the key is empty for all rows in the order of creation. */
export const rowsQuery = (
  id: string,
  { group, ...selection }: RowSelection & { group?: RowGrouping | undefined },
  part: number,
) =>
  queryOptions({
    queryKey: [...rowsKey(id), { ...selection, ...(group && { group }) }, part],
    queryFn: ({ signal }) =>
      api.tables.rows(
        {
          ...{ id, limit: ROWS_PER_PART, offset: part * ROWS_PER_PART },
          ...selectionParameters(selection),
          ...(group && { group: JSON.stringify(group) }),
        },
        { signal },
      ),
    staleTime: 60_000,
  })

/** One row, wherever it is in the table. */
export const rowQuery = (id: string, rowId: string) =>
  queryOptions({
    queryKey: ['tables', 'row', id, rowId],
    queryFn: ({ signal }) => api.tables.row({ id, rowId }, { signal }),
  })

/** In the order of the groups' rows, with the sums of some columns. */
export const rowGroupsQuery = (
  id: string,
  { filter, search }: RowSelection,
  group: RowGrouping,
  summed: readonly string[],
) =>
  queryOptions({
    queryKey: ['tables', 'groups', id, { filter, search, group, summed }],
    queryFn: async ({ signal }): Promise<RowGroup[]> => {
      const measures = [{ op: 'count' }, ...summed.map((column) => ({ op: 'sum', column }))]
      const { groups } = await api.tables.aggregate(
        {
          ...{ id, ...selectionParameters({ filter, search }), measures: JSON.stringify(measures) },
          group: JSON.stringify([{ ...group, order: group.order ?? 'asc' }]),
        },
        { signal },
      )
      return groups.map(({ keys: [key], values: [count, ...sums] }) => ({
        ...{ key, count: Number(count) },
        sums: Object.fromEntries(summed.map((column, n) => [column, sums[n] as string | null])),
      }))
    },
  })

/** Null if it's missing. */
export const linkTargetQuery = (id: string, columnId: string, targetId: string) =>
  queryOptions({
    queryKey: ['tables', 'target', id, columnId, targetId],
    queryFn: async ({ signal }) =>
      (await api.tables.targets({ id, columnId, targetId }, { signal })).items[0] ?? null,
    enabled: targetId !== '',
  })

/** What cells of a link column can name. */
export const linkTargetsQuery = (id: string, columnId: string, search: string) =>
  queryOptions({
    queryKey: ['tables', 'targets', id, columnId, search],
    queryFn: async ({ signal }) =>
      (await api.tables.targets({ id, columnId, ...(search && { search }) }, { signal })).items,
    staleTime: 10_000,
  })

/** Of matching rows. */
export const rowCountQuery = (id: string, { filter, search }: RowSelection) =>
  queryOptions({
    queryKey: ['tables', 'count', id, { filter, search }],
    queryFn: async ({ signal }) => {
      const { groups } = await api.tables.aggregate(
        { id, ...selectionParameters({ filter, search }) },
        { signal },
      )
      return Number(groups[0]?.values[0] ?? 0)
    },
  })

/** Read again for each version of the row. */
export const rowChangesQuery = (id: string, rowId: string, version: number) =>
  queryOptions({
    queryKey: ['tables', 'row changes', id, rowId, version],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await api.tables.rowChanges({ id, rowId, limit: 30 }, { signal })).items,
  })

export const deletedTablesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['tables', 'deleted', projectId],
    queryFn: async ({ signal }) => (await api.tables.list({ projectId, deleted: 'true' }, { signal })).items,
  })

export const refreshTables = () => queryClient.invalidateQueries({ queryKey: ['tables'] })
