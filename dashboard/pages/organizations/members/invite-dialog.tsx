import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { useCanMail } from '../../accounts/sign-in/mail-status.tsx'
import { type Invite, invitesQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'

export function InviteDialog() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Invite['role']>('member')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const close = () => navigate({ to: '/settings/organization/members' })
  const invite = useMutation({
    mutationFn: () => organizationApi.organization.invite({ email, role }),
    onSuccess: (invitation) => {
      if (!invitation.url) {
        void close()
        toast(withNames`Invitation sent to ${invitation.email}`)
      }
      void queries.invalidateQueries({ queryKey: invitesQuery.queryKey })
    },
  })
  const canMail = useCanMail() ?? true
  const emailError = fieldMessage(invite.error, 'email')
  if (invite.data?.url) return <InvitationLink invite={invite.data} url={invite.data.url} onClose={close} />
  return (
    <FormDialog
      size="normal"
      title="Invite members"
      action={canMail ? t`Send invitation` : t`Create invitation link`}
      lead={
        canMail
          ? t`The link in the email works once and expires in 7 days. Inviting the same address again replaces the pending invitation.`
          : t`This server can’t send email, so you’ll get a link to send yourself. It works once and expires in 7 days.`
      }
      failure={emailError ? undefined : errorText(invite.error)}
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
        error={emailError}
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

/** The server returns the link only if it sent no email. */
export function InvitationLink({
  invite,
  url,
  onClose,
}: {
  invite: Invite
  url: string
  onClose: () => void
}) {
  return (
    <SecretDialog
      title="Send this link"
      what="invitation link"
      value={url}
      about={
        <>
          No email was sent. Send this link to{' '}
          <bdi className="font-medium text-neutral-12">{invite.email}</bdi>. It works once, expires in 7 days
          and won’t be shown again.
        </>
      }
      onClose={onClose}
    />
  )
}

const errorText = (error: Error | null) =>
  error instanceof ApiFailure && error.code === 'CONFLICT' ? `${error.message}.` : failureMessage(error)
