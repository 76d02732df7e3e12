import { LayoutGrid, List } from 'lucide-react'
import { Button } from '../../../../components/button.tsx'
import { Menu, MenuChecks, MenuChoice, MenuSeparator } from '../../../../components/menu.tsx'
import { COLUMNS, setLayout, toggleColumn, useColumns, useLayout } from './list-settings.ts'

const LAYOUTS = [
  { value: 'list', label: 'List' },
  { value: 'grid', label: 'Grid' },
] as const

/** List or grid, and the columns of the list. The browser remembers both. */
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
