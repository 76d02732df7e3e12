import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureMessage } from '../../api/explain.ts'
import { withNames } from '../name.tsx'
import { toast } from '../toast.tsx'
import { FormDialog } from './form-dialog.tsx'

interface DeleteDialogProps {
  /** The kind of record, such as `schedule`. */
  kind: string
  name: string
  remove: () => Promise<unknown>
  /** Refetches the lists that contained the record. */
  refresh: () => Promise<unknown>
  onClose: () => void
  /** The effects of the deletion. */
  children: ReactNode
}

/** Deletes a record that can be created again; `ConfirmDialog` is for records with contents. */
export function DeleteDialog({ kind, name, remove, refresh, onClose, children }: DeleteDialogProps) {
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await refresh()
      toast(withNames`Deleted ${name}`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={withNames`Delete ${kind}`}
      action={`Delete ${kind}`}
      isDangerous
      failure={failureMessage(deletion.error)}
      busy={deletion.isPending}
      onSubmit={deletion.mutate}
      onClose={onClose}
    >
      <p className="break-words text-neutral-11">{children}</p>
    </FormDialog>
  )
}
