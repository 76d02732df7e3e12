import { useMutation } from '@tanstack/react-query'
import { ArrowDownAZ, ArrowUpAZ, ChevronDown, EyeOff, Filter, KeyRound, Pencil, Trash2 } from 'lucide-react'
import { OPS_BY_TYPE } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { refreshTables, type Table, type TableColumn } from '../../../api/tables.ts'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { TYPES } from './column-types.ts'
import type { ViewState } from './view-state.ts'
import { conditionsOf } from './view-state.ts'

interface ColumnMenuProps {
  table: Table
  column: TableColumn
  view: ViewState
  onEdit: () => void
  onFilter: () => void
}

export function ColumnMenu({ table, column, view, onEdit, onFilter }: ColumnMenuProps) {
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
      trigger={
        <button
          type="button"
          className="group/menu flex size-full min-w-0 items-center gap-8 px-8 text-13 hover:bg-hover"
        >
          <Icon aria-hidden className="icon shrink-0 text-neutral-11" />
          <span className="min-w-0 flex-1 truncate text-left font-medium">
            <Name>{column.name}</Name>
          </span>
          {isKey && <KeyRound aria-label={t`Key`} className="icon shrink-0 text-neutral-11" />}
          {sort && (
            <span className="shrink-0 text-neutral-11" role="img" aria-label={t`Sorted`}>
              {sort.order === 'desc' ? '↓' : '↑'}
            </span>
          )}
          <ChevronDown aria-hidden className="icon shrink-0 text-neutral-11" />
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
          const current = conditionsOf(view.settings.filter)
          if (current)
            view.change({
              filter: {
                all: [
                  ...current.conditions,
                  {
                    column: column.id,
                    op: OPS_BY_TYPE[column.type].includes('not_empty') ? 'not_empty' : 'eq',
                  },
                ],
              },
            })
          onFilter()
        }}
      />
      <MenuAction
        icon={EyeOff}
        label={t`Hide column`}
        onSelect={() => view.change({ hidden: [...(view.settings.hidden ?? []), column.id] })}
      />
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
