import { localStore } from '../../../../state/local-storage.ts'
import { createStore } from '../../../../state/store.ts'

const LAYOUT_KEY = 'atrium.files.layout'
const COLUMNS_KEY = 'atrium.files.columns'

/** The columns beside the name, in their order. */
export const COLUMNS = [
  { value: 'type', label: 'Type' },
  { value: 'creator', label: 'Uploaded by' },
  { value: 'tags', label: 'Tags' },
  { value: 'size', label: 'Size' },
  { value: 'created', label: 'Created' },
  { value: 'modified', label: 'Modified' },
] as const

export type Column = (typeof COLUMNS)[number]['value']
export type Columns = ReadonlySet<Column>

const DEFAULT: readonly Column[] = ['creator', 'tags', 'size', 'modified']

const layout = createStore<'list' | 'grid'>(localStore.read(LAYOUT_KEY) === 'grid' ? 'grid' : 'list')
const columns = createStore<Columns>(readColumns())

export const useLayout = layout.use
export const useColumns = columns.use

export function setLayout(next: 'list' | 'grid') {
  layout.set(next)
  localStore.write(LAYOUT_KEY, next === 'grid' ? next : null)
}

export function toggleColumn(column: Column) {
  const next = new Set(columns.get())
  if (!next.delete(column)) next.add(column)
  columns.set(next)
  localStore.write(COLUMNS_KEY, [...next].join(' '))
}

function readColumns(): Columns {
  const chosen = localStore.read(COLUMNS_KEY)?.split(' ')
  return new Set(
    chosen ? COLUMNS.map(({ value }) => value).filter((value) => chosen.includes(value)) : DEFAULT,
  )
}
