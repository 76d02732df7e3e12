import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { isOffline } from '../../../api/explain.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'

export function NewWorkspaceDialog() {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { form, error } = useCreateDialog({
    create: (keyOf) => api.workspaces.create({ name }, { idempotencyKey: keyOf({ name }) }),
    onCreated: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
      await navigate({ to: '/settings/organization/workspaces/$id', params: { id } })
      toast(withNames`Created ${name.trim()}`)
    },
    onClose: () => navigate({ to: '/settings/organization/workspaces' }),
  })

  return (
    <FormDialog
      title="New workspace"
      action="Create workspace"
      {...form}
      failure={isOffline(error) ? form.failure : undefined}
    >
      <TextField
        label="Name"
        hint="For a team or topic. You can add members later."
        placeholder="Research"
        required
        maxLength={120}
        autoComplete="off"
        data-autofocus
        value={name}
        error={isOffline(error) ? undefined : form.failure}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
