import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { type Table, type TableColumn, type TableView, tableViewsQuery } from '../../../api/tables.ts'
import { toast, toastFailure } from '../../../components/toast.tsx'

export type ViewSettings = TableView['settings']
export interface Condition {
  column: string
  op: NonNullable<Extract<NonNullable<ViewSettings['filter']>, { op: string }>>['op']
  value?: unknown
}

/** A view’s settings, and what the user has changed without saving. */
export function useViewState(table: Table, view: TableView | undefined) {
  const [draft, setDraft] = useState<{ viewId: string | undefined; settings: ViewSettings } | null>(null)
  const isDrafting = draft !== null && draft.viewId === view?.id
  const settings = isDrafting ? draft.settings : (view?.settings ?? {})
  const refresh = () => queryClient.invalidateQueries({ queryKey: tableViewsQuery(table.id).queryKey })
  const save = useMutation({
    mutationFn: () => api.tables.updateView({ id: table.id, tableViewId: view!.id, settings }),
    onSuccess: async () => {
      await refresh()
      setDraft(null)
      toast(t`View saved`)
    },
    onError: toastFailure,
  })
  return {
    settings,
    isChanged: isDrafting && JSON.stringify(draft.settings) !== JSON.stringify(view?.settings ?? {}),
    change: (changed: Partial<ViewSettings>) =>
      setDraft({ viewId: view?.id, settings: { ...settings, ...changed } }),
    discard: () => setDraft(null),
    save,
    refresh,
  }
}

export type ViewState = ReturnType<typeof useViewState>

/** In the view's order, without hidden ones. */
export function arrangeColumns(columns: readonly TableColumn[], { order = [], hidden = [] }: ViewSettings) {
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  return columns.filter(({ id }) => !hidden.includes(id)).toSorted((a, b) => rank(a.id) - rank(b.id))
}

/** Conditions that the filter bar can show: one level, all or any. */
export function conditionsOf(
  filter: ViewSettings['filter'],
): { match: 'all' | 'any'; conditions: Condition[] } | null {
  if (!filter) return { match: 'all', conditions: [] }
  if ('op' in filter) return { match: 'all', conditions: [filter as Condition] }
  const match = 'all' in filter ? 'all' : 'any'
  const conditions = ('all' in filter ? filter.all : filter.any) as Condition[]
  return conditions.every((condition) => 'op' in condition) ? { match, conditions } : null
}

const NEEDS_VALUE = (op: Condition['op']) => op !== 'empty' && op !== 'not_empty'

/** Leaves out conditions without a value, which the user hasn't finished. */
export function toFilter(match: 'all' | 'any', conditions: readonly Condition[]): ViewSettings['filter'] {
  const complete = conditions.filter(
    ({ op, value }) => !NEEDS_VALUE(op) || (value !== undefined && value !== ''),
  )
  if (complete.length === 0) return undefined
  return match === 'all' ? { all: complete } : { any: complete }
}
