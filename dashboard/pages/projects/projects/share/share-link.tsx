import { Link as LinkIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../../api/client.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { Status } from '../../../../components/status.tsx'
import { Time } from '../../../../components/time.tsx'
import { toast } from '../../../../components/toast.tsx'
import { ACCESSES } from './access-labels.ts'
import { LinkForm } from './link-form.tsx'
import { type Share, useSharingMutation } from './sharing-queries.ts'

interface ShareLinkProps {
  projectId: string
  share: Share | null
  /** The response contains the URL of a link only once. */
  onCreated: (url: string) => void
}

/** The share link of a project: off, or on with its access level, expiry and password. */
export function ShareLink({ projectId, share, onCreated }: ShareLinkProps) {
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <LinkForm
        projectId={projectId}
        share={share}
        onCancel={() => setEditing(false)}
        onDone={({ url }) => {
          setEditing(false)
          if (url) onCreated(url)
          else toast('Share link saved')
        }}
      />
    )
  }
  if (!share) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-12">
        <p className="text-13 text-neutral-11">Off. Only members can see the project.</p>
        <Button onClick={() => setEditing(true)}>
          <LinkIcon aria-hidden className="icon" />
          Create share link
        </Button>
      </div>
    )
  }
  return (
    <ExistingLink projectId={projectId} share={share} onEdit={() => setEditing(true)} onCreated={onCreated} />
  )
}

function ExistingLink({
  projectId,
  share,
  onEdit,
  onCreated,
}: ShareLinkProps & { share: Share; onEdit: () => void }) {
  const rotate = useSharingMutation(
    projectId,
    () => api.sharing.share({ projectId, rotate: true }),
    ({ url }) => url && onCreated(url),
  )
  const revoke = useSharingMutation(
    projectId,
    () => api.sharing.unshare({ projectId }),
    () => toast('Share link revoked. Guests no longer have access.'),
  )
  const error = rotate.error ?? revoke.error
  return (
    <div className="flex flex-col gap-12">
      <FormFailure>{failureMessage(error)}</FormFailure>
      <div className="text-13">
        <p className="flex items-start gap-12">
          <Status meaning={isExpired(share) ? 'warning' : 'good'}>
            {isExpired(share) ? 'Expired' : 'On'}
          </Status>
          <span>
            Anyone with the link{share.hasPassword ? ' and its password ' : ' '}
            {ACCESSES[share.access].sentence}.
          </span>
        </p>
        <p className="mt-4 text-12 text-neutral-11">
          <Expiry share={share} /> · created <Time at={share.createdAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-8">
        <Button onClick={onEdit}>Edit</Button>
        <Button
          title="Creates a new link. The old one stops working immediately."
          busy={rotate.isPending}
          onClick={() => rotate.mutate()}
        >
          <RotateCcw aria-hidden className="icon" />
          Replace link
        </Button>
        <Button busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </div>
    </div>
  )
}

function Expiry({ share }: { share: Share }) {
  if (!share.expiresAt) return 'Never expires'
  return (
    <>
      {isExpired(share) ? 'Expired' : 'Expires'} <Time at={share.expiresAt} isExpected />
    </>
  )
}

const isExpired = ({ expiresAt }: Share) => expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()
