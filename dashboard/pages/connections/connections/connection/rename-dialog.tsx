import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CONNECTION_LIMITS } from '../../../../../contract/connections/connector-options.ts'
import { connectionApi } from '../../../../api/connections/connection-api.ts'
import { type Connection, cacheConnection } from '../../../../api/connections/connections.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../../components/forms/field.tsx'

export function RenameDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const [label, setLabel] = useState(connection.label ?? '')
  const save = useMutation({
    mutationFn: () => connectionApi.connections.update({ id: connection.id, label: label.trim() || null }),
    onSuccess: async (changed) => {
      await cacheConnection(changed)
      onClose()
    },
  })
  const labelError = fieldMessage(save.error, 'label')
  return (
    <FormDialog
      title="Rename connection"
      action="Save"
      failure={labelError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Label (optional)"
        hint="Distinguishes several accounts of one service."
        limit={CONNECTION_LIMITS.label}
        autoComplete="off"
        value={label}
        error={labelError}
        onChange={(event) => setLabel(event.target.value)}
      />
    </FormDialog>
  )
}
