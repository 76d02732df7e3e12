import { useState } from 'react'
import type { PROJECT_INVITE_ROLES } from '../../../../../contract/projects/sharing.ts'
import { api } from '../../../../api/client.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { useCanMail } from '../../../accounts/sign-in/mail-status.tsx'
import { type Expiry, expiresAtOf } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { type ProjectInvite, useSharingMutation } from './sharing-queries.ts'

type Role = (typeof PROJECT_INVITE_ROLES)[number]

interface InviteFormProps {
  projectId: string
  onDone: (invite: ProjectInvite) => void
  onCancel: () => void
}

/** An invitation to the workspace: a link for anyone, or an email to one person. */
export function InviteForm({ projectId, onDone, onCancel }: InviteFormProps) {
  const [role, setRole] = useState<Role>('editor')
  const [email, setEmail] = useState('')
  const [maxUses, setMaxUses] = useState('')
  const [expiry, setExpiry] = useState<Expiry>({ choice: '7', date: '' })
  const canMail = useCanMail() ?? true
  const invite = useSharingMutation(
    projectId,
    () =>
      api.sharing.invite({
        projectId,
        role,
        expiresAt: expiresAtOf(expiry),
        ...(email.trim() ? { email: email.trim() } : { maxUses: maxUses ? Number(maxUses) : null }),
      }),
    onDone,
  )
  return (
    <form
      aria-label="New invite link"
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (!invite.isPending) invite.mutate()
      }}
    >
      <FormFailure>{failureMessage(invite.error)}</FormFailure>
      <TextField
        label="Email (optional)"
        type="email"
        hint={
          canMail
            ? 'Leave empty to create a link that anyone can use.'
            : 'This server can’t send email: you get a link to send yourself. Leave empty to create a link that anyone can use.'
        }
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="grid gap-12 sm:grid-cols-2">
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          <option value="editor">Editor</option>
          <option value="viewer">Viewer</option>
        </Select>
        <ExpiryField value={expiry} onChange={setExpiry} />
        {!email.trim() && (
          <TextField
            label="Maximum uses"
            type="number"
            min={1}
            max={10_000}
            placeholder="Unlimited"
            value={maxUses}
            onChange={(event) => setMaxUses(event.target.value)}
          />
        )}
      </div>
      <div className="flex gap-8">
        <Button look="primary" type="submit" busy={invite.isPending}>
          {email.trim() && canMail ? 'Send invitation' : 'Create invite link'}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
