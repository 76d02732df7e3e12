import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import type { Table, TableView } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { NameDialog } from './name-dialog.tsx'
import type { ViewState } from './view-state.ts'

interface ViewTabsProps {
  table: Table
  views: readonly TableView[]
  current: TableView | undefined
  view: ViewState
}

export function ViewTabs({ table, views, current, view }: ViewTabsProps) {
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null)
  const close = () => setNaming(null)
  const navigate = useNavigate()
  const { resetArrangement } = view
  const remove = useMutation({
    mutationFn: ({ id }: TableView) => api.tables.removeView({ id: table.id, tableViewId: id }),
    onSuccess: async (_, { name, settings }) => {
      await view.refresh()
      await navigate({ to: '.', search: {} })
      toast(withNames`Deleted ${name}`, {
        label: t`Undo`,
        run: () =>
          void api.tables.createView({ id: table.id, name, settings }).then(view.refresh, toastFailure),
      })
    },
    onError: toastFailure,
  })
  return (
    <ViewRow
      label={t`Views`}
      end={
        <span className="ml-auto flex shrink-0 items-center gap-4">
          {resetArrangement && (
            <Button look="quiet" size="small" onClick={resetArrangement}>
              Reset columns
            </Button>
          )}
          {view.isChanged && (
            <Button look="quiet" size="small" onClick={view.discard}>
              Reset
            </Button>
          )}
          {table.canEdit && view.isChanged && !current && (
            <Button size="small" onClick={() => setNaming('new')}>
              Save as view
            </Button>
          )}
          {table.canEdit && view.isChanged && current && (
            <Button size="small" busy={view.save.isPending} onClick={() => view.save.mutate()}>
              Save view
            </Button>
          )}
          {table.canEdit && current && (
            <Menu
              trigger={
                <Button look="quiet" size="small-icon" aria-label={t`View`}>
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              <MenuAction icon={Pencil} label={t`Rename view…`} onSelect={() => setNaming('rename')} />
              <MenuAction icon={Trash2} label={t`Delete view`} onSelect={() => remove.mutate(current)} />
            </Menu>
          )}
        </span>
      }
    >
      <Link to="." search={{}} aria-current={current ? undefined : 'page'} className={VIEW}>
        All rows
      </Link>
      {views.map(({ id, name }) => (
        <Link
          key={id}
          to="."
          search={{ view: id }}
          aria-current={current?.id === id ? 'page' : undefined}
          className={VIEW}
        >
          <Name>{name}</Name>
        </Link>
      ))}
      {table.canEdit && (
        <Button
          look="quiet"
          size="small-icon"
          aria-label={t`New view`}
          title={t`New view`}
          onClick={() => setNaming('new')}
        >
          <Plus aria-hidden className="icon" />
        </Button>
      )}
      {naming === 'new' && <NewViewDialog table={table} view={view} onClose={close} />}
      {naming === 'rename' && current && (
        <NameDialog
          title={t`Rename view`}
          action={t`Rename`}
          name={current.name}
          save={(name) => api.tables.updateView({ id: table.id, tableViewId: current.id, name })}
          onSaved={async () => {
            await view.refresh()
            close()
          }}
          onClose={close}
        />
      )}
    </ViewRow>
  )
}

function NewViewDialog({
  table,
  view,
  onClose,
}: Pick<ViewTabsProps, 'table' | 'view'> & { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <NameDialog
      title={t`New view`}
      action={t`Create`}
      lead={t`Keeps the filter, order, groups and hidden columns that you see now. Everyone in the project can use it.`}
      save={(name) => api.tables.createView({ id: table.id, name, settings: view.shared })}
      onSaved={async ({ id }) => {
        await view.refresh()
        view.discard()
        onClose()
        await navigate({ to: '.', search: { view: id } })
      }}
      onClose={onClose}
    />
  )
}
