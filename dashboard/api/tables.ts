import { queryOptions } from '@tanstack/react-query'
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

export const rowsQuery = (id: string, selection: RowSelection, part: number) =>
  queryOptions({
    queryKey: [...rowsKey(id), selection, part],
    queryFn: ({ signal }) =>
      api.tables.rows(
        { id, ...selectionParameters(selection), limit: ROWS_PER_PART, offset: part * ROWS_PER_PART },
        { signal },
      ),
    staleTime: 60_000,
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

export const rowChangesQuery = (id: string, rowId: string) =>
  queryOptions({
    queryKey: ['tables', 'row changes', id, rowId],
    queryFn: async ({ signal }) => (await api.tables.rowChanges({ id, rowId, limit: 30 }, { signal })).items,
  })

export const refreshTables = () => queryClient.invalidateQueries({ queryKey: ['tables'] })
