import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { createRequestKey } from '../../../state/random-id.ts'

export function NewWorkspaceDialog() {
  const [name, setName] = useState('')
  const [requestKey] = useState(createRequestKey)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const close = () => navigate({ to: '/settings/organization/workspaces' })
  const create = useMutation({
    mutationFn: () => api.workspaces.create({ name }, { idempotencyKey: requestKey.of({ name }) }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
      await navigate({ to: '/settings/organization/workspaces/$id', params: { id } })
      toast(withNames`Created ${name.trim()}`)
    },
  })

  return (
    <FormDialog
      title="New workspace"
      action="Create workspace"
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={close}
    >
      <TextField
        label="Name"
        hint="For one team or topic. You can add members after creating it."
        placeholder="Research"
        required
        maxLength={120}
        autoComplete="off"
        data-autofocus
        value={name}
        error={failureMessage(create.error)}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
