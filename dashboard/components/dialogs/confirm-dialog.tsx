import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { failureMessage } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { TextField } from '../forms/field.tsx'
import { withNames } from '../name.tsx'
import { toast } from '../toast.tsx'
import { Dialog, DialogFooter } from './dialog.tsx'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmDialogProps<Result> {
  title: ReactNode
  phrase?: string
  action: string
  mutate: () => Promise<Result>
  invalidates?: readonly QueryKey[]
  /** Runs before the dialog closes, e.g. to leave a deleted record's page. */
  onSuccess?: (result: Result) => unknown
  success?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** For actions that can't be undone. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { title, phrase, action, onClose, children } = props
  const [typed, setTyped] = useState('')
  const confirm = useConfirmedMutation(props)
  const matches = phrase === undefined || typed.trim() === phrase.trim()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (matches && !confirm.isPending) confirm.mutate()
        }}
      >
        <div className="flex flex-col gap-8 break-words text-neutral-11">{children}</div>
        <FormFailure>{failureMessage(confirm.error)}</FormFailure>
        {phrase !== undefined && (
          <TextField
            label={textWithNames`Type “${phrase}” to confirm`}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <DialogFooter>
          <Button look="quiet" data-autofocus={phrase === undefined || undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" type="submit" busy={confirm.isPending} disabled={!matches}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

function useConfirmedMutation<Result>({
  mutate,
  invalidates = [],
  onSuccess,
  success,
  onClose,
}: ConfirmDialogProps<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: mutate,
    onSuccess: async (result) => {
      await onSuccess?.(result)
      for (const queryKey of invalidates) void queries.invalidateQueries({ queryKey })
      if (success) toast(success)
      onClose()
    },
  })
}

interface DeleteDialogProps {
  /** Also the button's label. */
  title: string
  name: string
  remove: () => Promise<unknown>
  refresh: () => Promise<unknown>
  onClose: () => void
  /** What else to delete. */
  choice?: ReactNode
  children: ReactNode
}

/** For records that can be created again; use `ConfirmDialog` for records with contents. */
export function DeleteDialog({ title, name, remove, refresh, onClose, choice, children }: DeleteDialogProps) {
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
      title={title}
      action={title}
      isDangerous
      failure={failureMessage(deletion.error)}
      busy={deletion.isPending}
      onSubmit={deletion.mutate}
      onClose={onClose}
    >
      <p className="break-words text-neutral-11">{children}</p>
      {choice}
    </FormDialog>
  )
}
