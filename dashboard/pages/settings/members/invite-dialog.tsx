import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { fieldMessage } from '../../sign-in/use-sign-in.ts'
import { type Invite, invitesQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from './role-labels.ts'

export function InviteDialog() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Invite['role']>('member')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const close = () => navigate({ to: '/settings/members' })
  const invite = useMutation({
    mutationFn: () => api.organization.invite({ email, role }),
    onSuccess: (sent) => {
      void close()
      toast(`Invited ${sent.email}`)
      void queries.invalidateQueries({ queryKey: invitesQuery.queryKey })
    },
  })
  const onField = fieldMessage(invite.error, 'email')
  return (
    <FormDialog
      size="normal"
      title="Invite people"
      action="Send invitation"
      lead="The email contains a link that works once and expires in 7 days. Inviting an address again replaces its pending invitation."
      failure={onField ? undefined : errorText(invite.error)}
      busy={invite.isPending}
      onSubmit={invite.mutate}
      onClose={close}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        data-autofocus
        value={email}
        error={onField}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Select
        label="Role"
        hint={ROLE_LABELS[role].description}
        value={role}
        onChange={(event) => setRole(event.target.value as Invite['role'])}
      >
        <option value="member">Member</option>
        <option value="admin">Admin</option>
      </Select>
    </FormDialog>
  )
}

const errorText = (error: Error | null) =>
  error instanceof ApiFailure && error.code === 'CONFLICT' ? `${error.message}.` : failureMessage(error)
