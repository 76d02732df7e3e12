import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import type { Table, TableView } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { Name } from '../../../components/name.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import type { ViewState } from './view-state.ts'

interface ViewTabsProps {
  table: Table
  views: readonly TableView[]
  current: TableView | undefined
  view: ViewState
}

export function ViewTabs({ table, views, current, view }: ViewTabsProps) {
  const [isNaming, setNaming] = useState(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: (tableViewId: string) => api.tables.removeView({ id: table.id, tableViewId }),
    onSuccess: async () => {
      await view.refresh()
      await navigate({ to: '.', search: {} })
    },
    onError: toastFailure,
  })
  return (
    <ViewRow
      label={t`Views`}
      end={
        table.canEdit && (
          <span className="ml-auto flex items-center gap-4">
            {view.isChanged && current && (
              <>
                <Button look="quiet" size="small" onClick={view.discard}>
                  Reset
                </Button>
                <Button size="small" busy={view.save.isPending} onClick={() => view.save.mutate()}>
                  Save view
                </Button>
              </>
            )}
            {current && (
              <Button
                look="quiet"
                size="small-icon"
                aria-label={t`Delete view`}
                title={t`Delete view`}
                onClick={() => remove.mutate(current.id)}
              >
                <Trash2 aria-hidden className="icon" />
              </Button>
            )}
          </span>
        )
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
          onClick={() => setNaming(true)}
        >
          <Plus aria-hidden className="icon" />
        </Button>
      )}
      {isNaming && <NewViewDialog table={table} view={view} onClose={() => setNaming(false)} />}
    </ViewRow>
  )
}

function NewViewDialog({
  table,
  view,
  onClose,
}: Pick<ViewTabsProps, 'table' | 'view'> & { onClose: () => void }) {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => api.tables.createView({ id: table.id, name: name.trim(), settings: view.settings }),
    onSuccess: async ({ id }) => {
      await view.refresh()
      onClose()
      await navigate({ to: '.', search: { view: id } })
    },
  })
  return (
    <FormDialog
      title="New view"
      action={t`Create`}
      lead="Keeps the filter, order and hidden columns that you see now. Everyone in the project can use it."
      busy={create.isPending}
      failure={create.error ? failureMessage(create.error) : undefined}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        required
        limit={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
