import { LayoutGrid, List } from 'lucide-react'
import { t } from '../../../../../contract/text.ts'
import { Button } from '../../../../components/button.tsx'
import { Menu, MenuChecks, MenuChoice, MenuSeparator } from '../../../../components/menu.tsx'
import { createStore, localStore } from '../../../../state/store.ts'

const LAYOUTS = [
  { value: 'grid', label: t`Grid` },
  { value: 'list', label: t`List` },
] as const

export function LayoutMenu() {
  const layout = useLayout()
  const columns = useColumns()
  const Icon = layout === 'grid' ? LayoutGrid : List
  return (
    <Menu
      trigger={
        <Button size="icon" aria-label="Layout" title="Layout">
          <Icon aria-hidden className="icon" />
        </Button>
      }
    >
      <MenuChoice label="Layout" value={layout} options={LAYOUTS} onChoose={setLayout} closes />
      {layout === 'list' && (
        <>
          <MenuSeparator />
          <MenuChecks label="Columns" chosen={columns} options={COLUMNS} onToggle={toggleColumn} />
        </>
      )}
    </Menu>
  )
}

const LAYOUT_KEY = 'atrium.files.layout'
const COLUMNS_KEY = 'atrium.files.columns'

/** Besides the name, in order. */
const COLUMNS = [
  { value: 'type', label: t`Type` },
  { value: 'creator', label: t`Uploaded by` },
  { value: 'tags', label: t`Tags` },
  { value: 'size', label: t`Size` },
  { value: 'created', label: t`Created` },
  { value: 'modified', label: t`Modified` },
] as const

type Column = (typeof COLUMNS)[number]['value']
export type Columns = ReadonlySet<Column>

const DEFAULT: readonly Column[] = ['creator', 'tags', 'size', 'modified']

const layout = createStore<'list' | 'grid'>(localStore.read(LAYOUT_KEY) === 'list' ? 'list' : 'grid')
const columns = createStore<Columns>(readColumns())

export const useLayout = layout.use
export const useColumns = columns.use

function setLayout(next: 'list' | 'grid') {
  layout.set(next)
  localStore.write(LAYOUT_KEY, next === 'list' ? next : null)
}

function toggleColumn(column: Column) {
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
