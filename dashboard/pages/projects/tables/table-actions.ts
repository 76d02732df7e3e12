import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { refreshTables, type Table } from '../../../api/tables.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

type NamedTable = Pick<Table, 'id' | 'name'>

/** Offers an undo. `leave` goes to a page that doesn't show the table. */
export async function deleteTable({ id, name }: NamedTable, leave?: () => Promise<unknown>): Promise<void> {
  try {
    await api.tables.remove({ id })
    await leave?.()
    await refreshTables()
    toast(withNames`Deleted ${name}`, { label: t`Undo`, run: () => void restoreTable({ id, name }) })
  } catch (error) {
    toastFailure(error)
  }
}

export async function restoreTable({ id, name }: NamedTable): Promise<void> {
  try {
    await api.tables.undelete({ id })
    await refreshTables()
    toast(withNames`Restored ${name}`)
  } catch (error) {
    toastFailure(error)
  }
}
