import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'

interface NameDialogProps<Saved> {
  title: string
  action: string
  lead?: string
  name?: string | undefined
  isDangerous?: boolean
  save: (name: string) => Promise<Saved>
  onSaved: (saved: Saved) => unknown
  onClose: () => void
  /** Fields after the name. */
  children?: ReactNode
}

/** For a table, a view or a column. */
export function NameDialog<Saved>(props: NameDialogProps<Saved>) {
  const { name: before = '', save, onSaved, children, ...dialog } = props
  const [name, setName] = useState(before)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => save(name.trim()),
    onSuccess: onSaved,
  })
  return (
    <FormDialog {...dialog} busy={isPending} failure={failureMessage(error)} onSubmit={() => mutate()}>
      <TextField
        label={t`Name`}
        required
        limit={TABLE_LIMITS.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {children}
    </FormDialog>
  )
}
