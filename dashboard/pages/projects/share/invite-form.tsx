import { useState } from 'react'
import type { PROJECT_INVITE_ROLES } from '../../../../contract/projects/sharing.ts'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { type Expiry, expiresAtOf } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { type ProjectInvite, useSharing } from './sharing-queries.ts'

type Role = (typeof PROJECT_INVITE_ROLES)[number]

interface InviteFormProps {
  projectId: string
  onDone: (invite: ProjectInvite) => void
  onCancel: () => void
}

/** An invitation into the workspace: for whoever has the link, or mailed to one address. */
export function InviteForm({ projectId, onDone, onCancel }: InviteFormProps) {
  const [role, setRole] = useState<Role>('editor')
  const [email, setEmail] = useState('')
  const [maxUses, setMaxUses] = useState('')
  const [expiry, setExpiry] = useState<Expiry>({ choice: '7', date: '' })
  const invite = useSharing(
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
  const failure = invite.error && !isDeclinedStepUp(invite.error) ? explainShortly(invite.error) : undefined
  return (
    <form
      aria-label="New invite link"
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (!invite.isPending) invite.mutate()
      }}
    >
      <FormFailure>{failure}</FormFailure>
      <TextField
        label="Email"
        type="email"
        hint="For one person, who gets it by mail. Empty for a link that anybody can use."
        autoComplete="off"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="grid gap-12 sm:grid-cols-2">
        <Select label="Joins as" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          <option value="editor">Editor, who changes things</option>
          <option value="viewer">Viewer, who looks</option>
        </Select>
        <ExpiryField value={expiry} onChange={setExpiry} />
        {!email.trim() && (
          <TextField
            label="For how many"
            type="number"
            min={1}
            max={10_000}
            placeholder="Any number"
            value={maxUses}
            onChange={(event) => setMaxUses(event.target.value)}
          />
        )}
      </div>
      <div className="flex gap-8">
        <Button look="primary" type="submit" busy={invite.isPending}>
          {email.trim() ? 'Send the invitation' : 'Make the invite link'}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
