import { Link2, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import type { PROJECT_INVITE_ROLES } from '../../../../../contract/projects/sharing.ts'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { api } from '../../../../api/client.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { withNames } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { toast } from '../../../../components/toast.tsx'
import { useCanMail } from '../../../accounts/sign-in/mail-status.tsx'
import { setVisibility } from '../project-actions.ts'
import { type Expiry, ExpiryField, toExpiresAt } from './expiry-field.tsx'
import { type ProjectInvite, useSharingMutation } from './sharing-queries.ts'

interface InvitesProps {
  project: ProjectDetails
  invites: ProjectInvite[]
  onCreated: (invite: ProjectInvite) => void
}

export function Invites({ project, invites, onCreated }: InvitesProps) {
  const [adding, setAdding] = useState(false)
  if (project.visibility === 'private') {
    return (
      <div className="flex flex-col items-start gap-12">
        <p className="text-13 text-neutral-11">
          This project is private. To invite people, first make it visible to its workspaces.
        </p>
        <Button onClick={() => void setVisibility(project, 'team')}>
          <Users aria-hidden className="icon" />
          Make visible
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-12">
      {invites.length > 0 && (
        <ul aria-label="Invitations" className="border-neutral-6 border-t">
          {invites.map((invite) => (
            <InviteRow key={invite.id} projectId={project.id} invite={invite} />
          ))}
        </ul>
      )}
      <InvitePerson
        projectId={project.id}
        onDone={(invite) => {
          if (invite.email && !invite.url) toast(withNames`Invitation sent to ${invite.email}`)
          onCreated(invite)
        }}
      />
      {adding ? (
        <InviteLinkForm
          projectId={project.id}
          onCancel={() => setAdding(false)}
          onDone={(invite) => {
            setAdding(false)
            onCreated(invite)
          }}
        />
      ) : (
        <Button look="quiet" size="small" className="self-start" onClick={() => setAdding(true)}>
          <Link2 aria-hidden className="icon" />
          Create invite link
        </Button>
      )}
    </div>
  )
}

type Role = (typeof PROJECT_INVITE_ROLES)[number]

interface InvitePersonProps {
  projectId: string
  onDone: (invite: ProjectInvite) => void
}

/** For one member or one person outside the workspace. */
function InvitePerson({ projectId, onDone }: InvitePersonProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const canMail = useCanMail() ?? true
  const invite = useSharingMutation(
    projectId,
    () => api.sharing.invite({ projectId, role, email: email.trim() }),
    (created) => {
      setEmail('')
      onDone(created)
    },
  )
  return (
    <form
      aria-label="Invite a person"
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        if (!invite.isPending && email.trim()) invite.mutate()
      }}
    >
      <div className="flex flex-wrap items-start gap-8">
        <span className="min-w-0 flex-1 basis-0 max-sm:basis-full">
          <TextField
            label="Email"
            type="email"
            error={fieldMessage(invite.error, 'email')}
            hint={
              canMail ? undefined : t`This server can’t send email, so you’ll get a link to send yourself.`
            }
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </span>
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          <option value="editor">Editor</option>
          <option value="viewer">Viewer</option>
        </Select>
        <Button
          look="primary"
          type="submit"
          className="mt-24"
          disabled={!email.trim()}
          busy={invite.isPending}
        >
          <UserPlus aria-hidden className="icon" />
          Invite
        </Button>
      </div>
      <FormFailure>
        {fieldMessage(invite.error, 'email') ? undefined : failureMessage(invite.error)}
      </FormFailure>
    </form>
  )
}

function InviteRow({ projectId, invite }: { projectId: string; invite: ProjectInvite }) {
  const recipient = invite.email ?? t`Anyone with the link`
  const revoke = useSharingMutation(
    projectId,
    () => api.sharing.revokeInvite({ projectId, inviteId: invite.id }),
    () => toast(invite.email ? withNames`Invitation to ${invite.email} revoked` : t`Invite link revoked`),
  )
  return (
    <li className="flex min-h-48 flex-col gap-8 border-neutral-6 border-b py-8">
      <div className="flex items-center gap-12">
        <div className="min-w-0 flex-1">
          <p className="truncate text-13" title={recipient}>
            {recipient}
          </p>
          <p className="text-12 text-neutral-11">
            {invite.role === 'editor' ? t`Editor` : t`Viewer`}
            {invite.maxUses !== null &&
              invite.email === null &&
              t` · ${invite.uses} of ${invite.maxUses} used`}
            {invite.maxUses === null && invite.uses > 0 && ` · ${usedTimes(invite.uses)}`}
            {invite.expiresAt && (
              <>
                {' · '}
                <span>
                  expires <Time at={invite.expiresAt} isExpected />
                </span>
              </>
            )}
          </p>
        </div>
        <Button
          look="quiet"
          size="small"
          aria-label={textWithNames`Revoke invitation: ${recipient}`}
          busy={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          Revoke
        </Button>
      </div>
      <FormFailure>{failureMessage(revoke.error)}</FormFailure>
    </li>
  )
}

const usedTimes = (count: number) => (count === 1 ? t`used once` : t`used ${count} times`)

interface InviteFormProps {
  projectId: string
  onDone: (invite: ProjectInvite) => void
  onCancel: () => void
}

/** For anyone who has the link. It replaces the current one. */
function InviteLinkForm({ projectId, onDone, onCancel }: InviteFormProps) {
  const [role, setRole] = useState<Role>('editor')
  const [maxUses, setMaxUses] = useState('')
  const [expiry, setExpiry] = useState<Expiry>({ choice: '7', date: '' })
  const invite = useSharingMutation(
    projectId,
    () =>
      api.sharing.invite({
        projectId,
        role,
        expiresAt: toExpiresAt(expiry),
        maxUses: maxUses ? Number(maxUses) : null,
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
      <p className="text-13 text-neutral-11">
        Anyone with the link can join. It replaces the current invite link.
      </p>
      <div className="grid gap-12 sm:grid-cols-2">
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          <option value="editor">Editor</option>
          <option value="viewer">Viewer</option>
        </Select>
        <ExpiryField value={expiry} onChange={setExpiry} />
        <TextField
          label="Maximum uses"
          type="number"
          min={1}
          max={10_000}
          placeholder="Unlimited"
          value={maxUses}
          onChange={(event) => setMaxUses(event.target.value)}
        />
      </div>
      <div className="flex gap-8">
        <Button look="primary" type="submit" busy={invite.isPending}>
          Create invite link
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
