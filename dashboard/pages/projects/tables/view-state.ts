import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import {
  type Table,
  type TableColumn,
  type TableView,
  tableQuery,
  tableViewsQuery,
} from '../../../api/tables.ts'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { createStore, localStore } from '../../../state/store.ts'

export type ViewSettings = TableView['settings']
export interface Condition {
  column: string
  op: NonNullable<Extract<NonNullable<ViewSettings['filter']>, { op: string }>>['op']
  value?: unknown
}
export interface Conditions {
  match: 'all' | 'any'
  conditions: Condition[]
}

/** What a view shows and in which order. Kept in the page until it's saved. */
type Selection = Pick<ViewSettings, 'filter' | 'sort' | 'group' | 'hidden'>
/** Applies at once: to everybody for those who can edit, otherwise in this browser. */
type Arrangement = Pick<ViewSettings, 'order' | 'widths'>

export function useViewState(table: Table, view: TableView | undefined) {
  const [draft, setDraft] = useState<{ viewId: string | undefined; selection: Selection } | null>(null)
  const [typed, setTyped] = useState<{ viewId: string | undefined; conditions: Conditions } | null>(null)
  const personal = usePersonalArrangement(table, view)
  const saved = view?.settings ?? {}
  const changed = draft?.viewId === view?.id ? draft?.selection : undefined
  const settings: ViewSettings = {
    ...saved,
    ...changed,
    ...personal.arrangement,
    widths: { ...columnWidths(table), ...saved.widths, ...personal.arrangement.widths },
  }
  const shared = { ...saved, ...changed }
  const toFilter = (conditions: Conditions) => completeFilter(table.columns, conditions)
  const isTyped =
    typed?.viewId === view?.id && typed && textOf(toFilter(typed.conditions)) === textOf(settings.filter)
  const refresh = () => queryClient.invalidateQueries({ queryKey: tableViewsQuery(table.id).queryKey })
  const save = useMutation({
    mutationFn: () => api.tables.updateView({ id: table.id, tableViewId: view!.id, settings: shared }),
    onSuccess: async () => {
      await refresh()
      setDraft(null)
      toast(t`View saved`)
    },
    onError: toastFailure,
  })
  const change = (selection: Selection) =>
    setDraft({ viewId: view?.id, selection: { ...changed, ...selection } })
  return {
    settings,
    /** Without widths of columns, which a new view takes from the table. */
    shared,
    isChanged: changed !== undefined && textOf(shared) !== textOf(saved),
    change,
    discard: () => setDraft(null),
    save,
    refresh,
    /** Conditions as they are being typed. Null if the filter is too deep for the filter bar. */
    conditions: isTyped ? typed.conditions : conditionsOf(settings.filter),
    setConditions(conditions: Conditions) {
      setTyped({ viewId: view?.id, conditions })
      change({ filter: toFilter(conditions) })
    },
    arrange(arrangement: Arrangement) {
      if (!table.canEdit) personal.change(arrangement)
      else if (view) void arrangeView(table, view, arrangement)
      else void arrangeTable(table, arrangement)
    },
    /** Undefined without one. */
    // oxlint-disable-next-line typescript/unbound-method -- it uses no this.
    resetArrangement: personal.isChanged ? personal.reset : undefined,
  }
}

export type ViewState = ReturnType<typeof useViewState>

/** Order-independent for settings, which have no nested optional values; empty lists and absent ones are the same. */
const textOf = (settings: object | undefined) =>
  JSON.stringify(
    Object.entries(settings ?? {})
      .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const columnWidths = ({ columns }: Table): Record<string, number> =>
  Object.fromEntries(columns.flatMap(({ id, width }) => (width === undefined ? [] : [[id, width]])))

/** Of a view. Shown before the server answers. */
async function arrangeView(table: Table, view: TableView, { order, widths }: Arrangement): Promise<void> {
  const { queryKey } = tableViewsQuery(table.id)
  const settings = {
    ...view.settings,
    ...(order && { order }),
    ...(widths && { widths: { ...view.settings.widths, ...widths } }),
  }
  queryClient.setQueryData(queryKey, (views) =>
    views?.map((each) => (each.id === view.id ? { ...each, settings } : each)),
  )
  await saveArrangement(
    () => api.tables.updateView({ id: table.id, tableViewId: view.id, settings }),
    queryKey,
  )
}

/** Of all rows, which is the default for views. */
async function arrangeTable(table: Table, { order, widths = {} }: Arrangement): Promise<void> {
  const { queryKey } = tableQuery(table.id)
  const change = Object.entries(widths).map(([id, width]) => ({ id, width }))
  queryClient.setQueryData(queryKey, (current) => {
    if (!current) return current
    const columns = current.columns.map((column) => {
      const width = widths[column.id]
      return width === undefined ? column : { ...column, width }
    })
    return { ...current, columns: order ? arrangeColumns(columns, { order }) : columns }
  })
  await saveArrangement(
    () => api.tables.update({ id: table.id, ...(order && { order }), ...(change.length > 0 && { change }) }),
    queryKey,
  )
}

async function saveArrangement(save: () => Promise<unknown>, queryKey: readonly unknown[]): Promise<void> {
  try {
    await save()
  } catch (error) {
    toastFailure(error)
    await queryClient.invalidateQueries({ queryKey })
  }
}

const personalArrangements = createStore<Readonly<Record<string, Arrangement>>>({})

/** For members who can’t edit. */
function usePersonalArrangement({ id, canEdit }: Table, view: TableView | undefined) {
  const key = `atrium.table.${id}.${view?.id ?? 'all'}`
  const changed = personalArrangements.use()[key]
  const arrangement = canEdit ? {} : (changed ?? readArrangement(key))
  const set = (next: Arrangement) => personalArrangements.set({ ...personalArrangements.get(), [key]: next })
  return {
    arrangement,
    isChanged: Object.keys(arrangement).length > 0,
    change({ order, widths }: Arrangement) {
      const next = {
        ...arrangement,
        ...(order && { order }),
        ...(widths && { widths: { ...arrangement.widths, ...widths } }),
      }
      localStore.write(key, JSON.stringify(next))
      set(next)
    },
    reset() {
      localStore.write(key, null)
      set({})
    },
  }
}

function readArrangement(key: string): Arrangement {
  try {
    return (JSON.parse(localStore.read(key) ?? '{}') as Arrangement | null) ?? {}
  } catch {
    return {}
  }
}

/** In the view's order. */
export function arrangeColumns(columns: readonly TableColumn[], { order = [] }: Pick<ViewSettings, 'order'>) {
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  return columns.toSorted((a, b) => rank(a.id) - rank(b.id))
}

/** Of all columns, after one moves to the place of another. Hidden ones stay behind the column that they follow. */
export function moveColumn(
  columns: readonly TableColumn[],
  id: string,
  before: string | undefined,
): string[] {
  const others = columns.map((column) => column.id).filter((each) => each !== id)
  const at = before === undefined ? others.length : others.indexOf(before)
  return others.toSpliced(at, 0, id)
}

/** Conditions that the filter bar can show: one level, all or any. */
export function conditionsOf(filter: ViewSettings['filter']): Conditions | null {
  if (!filter) return { match: 'all', conditions: [] }
  if ('op' in filter) return { match: 'all', conditions: [filter as Condition] }
  const match = 'all' in filter ? 'all' : 'any'
  const conditions = ('all' in filter ? filter.all : filter.any) as Condition[]
  return conditions.every((condition) => 'op' in condition) ? { match, conditions } : null
}

/** Leaves out conditions that the user hasn't finished. */
function completeFilter(
  columns: readonly TableColumn[],
  { match, conditions }: Conditions,
): ViewSettings['filter'] {
  const complete = conditions.filter((condition) => {
    const column = columns.find(({ id }) => id === condition.column)
    return column !== undefined && isComplete(column, condition)
  })
  if (complete.length === 0) return undefined
  return match === 'all' ? { all: complete } : { any: complete }
}

function isComplete({ type }: TableColumn, { op, value }: Condition): boolean {
  if (op === 'empty' || op === 'not_empty') return true
  if (type === 'number' || type === 'money') return /^-?\d+(\.\d+)?$/.test(String(value))
  return value !== undefined && value !== null && value !== ''
}
