import { Columns3, Group } from 'lucide-react'
import type { ReactNode } from 'react'
import { DATE_PARTS } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import type { RowGrouping, TableColumn } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Menu, MenuChecks, MenuChoice } from '../../../components/menu.tsx'
import type { ViewState } from './view-state.ts'

interface ViewMenuProps {
  /** In the view’s order, with hidden ones. */
  columns: readonly TableColumn[]
  view: ViewState
}

const PARTS: Record<(typeof DATE_PARTS)[number], string> = { day: t`Day`, month: t`Month`, year: t`Year` }
const NONE = '+none'

/** By month, as a day is too short for most. */
export const groupBy = ({ id, type }: TableColumn): RowGrouping => ({
  column: id,
  ...(type === 'date' && { part: 'month' }),
})

export function GroupMenu({ columns, view }: ViewMenuProps) {
  const { group } = view.settings
  const column = columns.find(({ id }) => id === group?.column)
  const change = (changed: Partial<RowGrouping>) => group && view.change({ group: { ...group, ...changed } })
  return (
    <Menu
      trigger={
        <ToolButton icon={<Group aria-hidden className="icon" />} isOn={column !== undefined}>
          {column ? t`Grouped by ${column.name}` : t`Group`}
        </ToolButton>
      }
    >
      <MenuChoice
        label={t`Group by`}
        value={column?.id ?? NONE}
        options={[
          { value: NONE, label: t`Nothing` },
          ...columns.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChoose={(id) => {
          const chosen = columns.find((each) => each.id === id)
          view.change({ group: chosen && groupBy(chosen) })
        }}
      />
      {column?.type === 'date' && (
        <MenuChoice
          label={t`Dates in the same`}
          value={group?.part ?? 'day'}
          options={DATE_PARTS.map((part) => ({ value: part, label: PARTS[part] }))}
          onChoose={(part) => change({ part })}
        />
      )}
      {column && (
        <MenuChoice
          label={t`Order of groups`}
          value={group?.order ?? 'asc'}
          options={[
            { value: 'asc', label: t`Ascending` },
            { value: 'desc', label: t`Descending` },
          ]}
          onChoose={(order) => change({ order })}
        />
      )}
    </Menu>
  )
}

export function ColumnsMenu({ columns, view }: ViewMenuProps) {
  const hidden = new Set(view.settings.hidden)
  const shown = new Set(columns.map(({ id }) => id).filter((id) => !hidden.has(id)))
  const count = columns.length - shown.size
  return (
    <Menu
      trigger={
        <ToolButton icon={<Columns3 aria-hidden className="icon" />} isOn={count > 0}>
          {count > 0 ? t`${count} hidden` : t`Columns`}
        </ToolButton>
      }
    >
      <MenuChecks
        label={t`Shown columns`}
        chosen={shown}
        options={columns.map(({ id, name }) => ({ value: id, label: name }))}
        onToggle={(id) => {
          const next = shown.has(id) ? [...hidden, id] : [...hidden].filter((each) => each !== id)
          view.change({ hidden: next })
        }}
      />
    </Menu>
  )
}

interface ToolButtonProps extends React.ComponentProps<'button'> {
  icon: ReactNode
  isOn: boolean
  children: string
}

/** On phones, the icon alone. */
export const ToolButton = ({ icon, isOn, children, ...rest }: ToolButtonProps) => (
  <Button
    {...rest}
    look="quiet"
    size="small"
    aria-label={children}
    title={children}
    className={`min-w-0 max-w-filter shrink max-sm:h-32 max-sm:w-32 max-sm:shrink-0 max-sm:px-0 ${isOn ? 'bg-selection-wash text-selection-text hover:text-selection-text' : ''}`}
  >
    {icon}
    <span className="truncate max-sm:hidden">{children}</span>
  </Button>
)
