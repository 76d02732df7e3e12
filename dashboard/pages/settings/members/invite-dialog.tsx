import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/field.tsx'
import { Select } from '../../../components/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { fieldMessage } from '../../sign-in/way-in.ts'
import { type Invite, invitesQuery } from '../organization/organization-queries.ts'
import { ROLE_WORDS } from './roles.ts'

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
    <Dialog title="Invite somebody" onClose={close}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!invite.isPending) invite.mutate()
        }}
      >
        <p className="text-neutral-11">
          They get a mail with a link that works once, for seven days. Inviting an address again replaces its
          open invitation.
        </p>
        <FormFailure>{onField ? undefined : whyNot(invite.error)}</FormFailure>
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
          hint={ROLE_WORDS[role].may}
          value={role}
          onChange={(event) => setRole(event.target.value as Invite['role'])}
        >
          <option value="member">Member</option>
          <option value="admin">Admin</option>
        </Select>
        <div className="flex justify-end gap-8">
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={invite.isPending}>
            Send invitation
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function whyNot(error: Error | null): string | undefined {
  if (!error || isDeclinedStepUp(error)) return undefined
  if (error instanceof ApiFailure && error.code === 'CONFLICT') return `${error.message}.`
  return explainShortly(error)
}
