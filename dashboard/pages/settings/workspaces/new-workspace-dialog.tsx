import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { toast } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'

export function NewWorkspaceDialog() {
  const [name, setName] = useState('')
  /** One key per dialog: pressing again after a lost answer never makes a second workspace. */
  const [idempotencyKey, setKey] = useState(randomId)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const close = () => navigate({ to: '/settings/workspaces' })
  const create = useMutation({
    mutationFn: () => api.workspaces.create({ name }, { idempotencyKey }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
      await navigate({ to: '/settings/workspaces/$id', params: { id } })
      toast(`Created ${name.trim()}`)
    },
  })
  const error = create.error && !isDeclinedStepUp(create.error) ? explainShortly(create.error) : undefined
  return (
    <Dialog size="small" title="New workspace" onClose={close}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!create.isPending) create.mutate()
        }}
      >
        <TextField
          label="Name"
          hint="A place for one team or topic. You choose afterwards who belongs to it."
          placeholder="Research"
          required
          maxLength={120}
          autoComplete="off"
          data-autofocus
          value={name}
          error={error}
          onChange={(event) => {
            setName(event.target.value)
            setKey(randomId())
          }}
        />
        <div className="flex justify-end gap-8">
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create workspace
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
