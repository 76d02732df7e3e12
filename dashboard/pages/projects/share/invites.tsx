import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import type { ProjectDetails } from '../../../api/projects.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { InviteForm } from './invite-form.tsx'
import { type ProjectInvite, useSharing } from './sharing-queries.ts'

interface InvitesProps {
  project: ProjectDetails
  invites: ProjectInvite[]
  onMade: (invite: ProjectInvite) => void
}

/** The links by which people join the workspace, and how to make one. */
export function Invites({ project, invites, onMade }: InvitesProps) {
  const [making, setMaking] = useState(false)
  if (project.visibility === 'private') {
    return (
      <p className="text-13 text-neutral-11">
        The project is private. Make it visible to the team in its settings before you invite somebody.
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-12">
      {invites.length > 0 && (
        <ul aria-label="Open invite links" className="border-neutral-6 border-t">
          {invites.map((invite) => (
            <InviteRow key={invite.id} projectId={project.id} invite={invite} />
          ))}
        </ul>
      )}
      {making ? (
        <InviteForm
          projectId={project.id}
          onCancel={() => setMaking(false)}
          onDone={(invite) => {
            setMaking(false)
            if (invite.email) toast(`Mailed the invitation to ${invite.email}`)
            onMade(invite)
          }}
        />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-12">
          <p className="text-13 text-neutral-11">
            {invites.length === 0
              ? 'Nobody is invited.'
              : 'A new link for everybody replaces the one before.'}
          </p>
          <Button onClick={() => setMaking(true)}>
            <UserPlus aria-hidden className="icon" />
            Invite somebody
          </Button>
        </div>
      )}
    </div>
  )
}

function InviteRow({ projectId, invite }: { projectId: string; invite: ProjectInvite }) {
  const who = invite.email ?? 'Whoever has the link'
  const revoke = useSharing(
    projectId,
    () => api.sharing.revokeInvite({ projectId, inviteId: invite.id }),
    () => toast(invite.email ? `Withdrew the invitation of ${invite.email}` : 'Revoked the invite link'),
  )
  return (
    <li className="flex min-h-48 flex-col gap-8 border-neutral-6 border-b py-8">
      <div className="flex items-center gap-12">
        <div className="min-w-0 flex-1">
          <p className="truncate text-13" title={who}>
            {who}
          </p>
          <p className="text-12 text-neutral-11">
            {invite.role === 'editor' ? 'joins as an editor' : 'joins as a viewer'}
            {invite.maxUses !== null &&
              invite.email === null &&
              ` · ${invite.uses} of ${invite.maxUses} used`}
            {invite.maxUses === null && invite.uses > 0 && ` · used ${times(invite.uses)}`}
            {invite.expiresAt && (
              <>
                {' · ends '}
                <Time at={invite.expiresAt} />
              </>
            )}
          </p>
        </div>
        <Button
          look="quiet"
          size="small"
          aria-label={`Revoke the invitation: ${who}`}
          busy={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          Revoke
        </Button>
      </div>
      <FormFailure>
        {revoke.error && !isDeclinedStepUp(revoke.error) ? explainShortly(revoke.error) : undefined}
      </FormFailure>
    </li>
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
