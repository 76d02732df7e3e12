import { useMutation } from '@tanstack/react-query'
import {
  ArrowDownAZ,
  ArrowLeft,
  ArrowRight,
  ArrowUpAZ,
  ChevronDown,
  EyeOff,
  Filter,
  Group,
  KeyRound,
  Pencil,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { refreshTables, type Table, type TableColumn } from '../../../api/tables.ts'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { TYPES } from './column-types.ts'
import { newCondition } from './filter-bar.tsx'
import { groupBy } from './view-menus.tsx'
import type { ViewState } from './view-state.ts'

interface ColumnMenuProps {
  table: Table
  column: TableColumn
  view: ViewState
  onEdit: () => void
  onFilter: () => void
  onFit: () => void
  /** Absent at the ends. */
  onMoveLeft: (() => void) | undefined
  onMoveRight: (() => void) | undefined
}

export function ColumnMenu(props: ColumnMenuProps) {
  const { table, column, view, onEdit, onFilter, onFit, onMoveLeft, onMoveRight } = props
  const [isOpen, setOpen] = useState(false)
  const wasOpen = useRef(false)
  const { icon: Icon } = TYPES[column.type]
  const { canEdit } = table
  const isKey = table.key === column.id
  const change = useMutation({
    mutationFn: (body: { key?: string | null; remove?: string[] }) =>
      api.tables.update({ id: table.id, ...body }),
    onSuccess: (_, { remove }) => {
      void refreshTables()
      if (remove) toast(withNames`Removed ${column.name}. Undo it in the table’s history.`)
    },
    onError: toastFailure,
  })
  const sort = view.settings.sort?.find((each) => each.column === column.id)
  return (
    <Menu
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="group/menu flex size-full min-w-0 items-center gap-8 px-8 text-13 hover:bg-hover"
          // Opens when the button is released: until then, it can become a drag of the column.
          onPointerDown={(event) => {
            wasOpen.current = isOpen
            event.preventDefault()
          }}
          onClick={() => setOpen(!wasOpen.current)}
        >
          <Icon aria-hidden className="icon shrink-0 text-neutral-11" />
          <span data-column-name className="min-w-0 flex-1 truncate text-left font-medium">
            <Name>{column.name}</Name>
          </span>
          {isKey && <KeyRound aria-label={t`Key`} className="icon shrink-0 text-neutral-11" />}
          {sort && (
            <span className="shrink-0 text-neutral-11" role="img" aria-label={t`Sorted`}>
              {sort.order === 'desc' ? '↓' : '↑'}
            </span>
          )}
          <ChevronDown
            aria-hidden
            className="icon shrink-0 text-neutral-11 sm:opacity-0 sm:group-hover/header:opacity-100 sm:group-focus-visible/menu:opacity-100 sm:group-data-[state=open]/menu:opacity-100"
          />
        </button>
      }
    >
      {canEdit && <MenuAction icon={Pencil} label={t`Edit column…`} onSelect={onEdit} />}
      {column.type !== 'link' && (
        <>
          <MenuAction
            icon={ArrowDownAZ}
            label={t`Sort ascending`}
            onSelect={() => view.change({ sort: [{ column: column.id, order: 'asc' }] })}
          />
          <MenuAction
            icon={ArrowUpAZ}
            label={t`Sort descending`}
            onSelect={() => view.change({ sort: [{ column: column.id, order: 'desc' }] })}
          />
        </>
      )}
      <MenuAction
        icon={Filter}
        label={t`Filter by this column`}
        onSelect={() => {
          const { conditions } = view
          if (conditions)
            view.setConditions({
              ...conditions,
              conditions: [...conditions.conditions, newCondition(column)],
            })
          onFilter()
        }}
      />
      {view.settings.group?.column === column.id ? (
        <MenuAction icon={Group} label={t`Don’t group`} onSelect={() => view.change({ group: undefined })} />
      ) : (
        <MenuAction
          icon={Group}
          label={t`Group by this column`}
          onSelect={() => view.change({ group: groupBy(column) })}
        />
      )}
      <MenuAction
        icon={EyeOff}
        label={t`Hide column`}
        onSelect={() => view.change({ hidden: [...(view.settings.hidden ?? []), column.id] })}
      />
      <MenuSeparator />
      {onMoveLeft && <MenuAction icon={ArrowLeft} label={t`Move left`} onSelect={onMoveLeft} />}
      {onMoveRight && <MenuAction icon={ArrowRight} label={t`Move right`} onSelect={onMoveRight} />}
      <MenuAction icon={UnfoldHorizontal} label={t`Fit to contents`} onSelect={onFit} />
      {canEdit && (
        <>
          <MenuSeparator />
          {column.type !== 'boolean' && column.type !== 'link' && (
            <MenuAction
              icon={KeyRound}
              label={isKey ? t`Allow repeated values` : t`Use as key (unique)`}
              onSelect={() => change.mutate({ key: isKey ? null : column.id })}
            />
          )}
          <MenuAction
            icon={Trash2}
            label={t`Remove column`}
            onSelect={() => change.mutate({ remove: [column.id], ...(isKey && { key: null }) })}
          />
        </>
      )}
    </Menu>
  )
}
