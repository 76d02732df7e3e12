import { Link as LinkIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { ACCESSES } from './access-labels.ts'
import { LinkForm } from './link-form.tsx'
import { type Share, useSharing } from './sharing-queries.ts'

interface ShareLinkProps {
  projectId: string
  share: Share | null
  /** A link that is to be stored, because it is shown once. */
  onMade: (url: string) => void
}

/** The one link by which people without an account come in; on, off, and what it allows. */
export function ShareLink({ projectId, share, onMade }: ShareLinkProps) {
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <LinkForm
        projectId={projectId}
        share={share}
        onCancel={() => setEditing(false)}
        onDone={({ url }) => {
          setEditing(false)
          if (url) onMade(url)
          else toast('Saved the share link')
        }}
      />
    )
  }
  if (!share) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-12">
        <p className="text-13 text-neutral-11">Off. Only people with an account here see the project.</p>
        <Button onClick={() => setEditing(true)}>
          <LinkIcon aria-hidden className="icon" />
          Make a share link
        </Button>
      </div>
    )
  }
  return <Existing projectId={projectId} share={share} onEdit={() => setEditing(true)} onMade={onMade} />
}

function Existing({
  projectId,
  share,
  onEdit,
  onMade,
}: ShareLinkProps & { share: Share; onEdit: () => void }) {
  const rotate = useSharing(
    projectId,
    () => api.sharing.share({ projectId, rotate: true }),
    ({ url }) => url && onMade(url),
  )
  const revoke = useSharing(
    projectId,
    () => api.sharing.unshare({ projectId }),
    () => toast('Revoked the share link; whoever was looking by it sees nothing more'),
  )
  const error = rotate.error ?? revoke.error
  return (
    <div className="flex flex-col gap-12">
      <FormFailure>{error && !isDeclinedStepUp(error) ? explainShortly(error) : undefined}</FormFailure>
      <div className="text-13">
        <p className="flex items-start gap-12">
          <Status meaning={isOver(share) ? 'warning' : 'good'}>{isOver(share) ? 'Over' : 'On'}</Status>
          <span>
            Whoever has the link {share.hasPassword ? 'and its password ' : ''}
            {ACCESSES[share.access].words}.
          </span>
        </p>
        <p className="mt-4 text-12 text-neutral-11">
          <Ends share={share} /> · made <Time at={share.createdAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-8">
        <Button onClick={onEdit}>Change</Button>
        <Button
          title="Makes a new link; the old one stops working at once"
          busy={rotate.isPending}
          onClick={() => rotate.mutate()}
        >
          <RotateCcw aria-hidden className="icon" />
          Replace the link
        </Button>
        <Button busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </div>
    </div>
  )
}

function Ends({ share }: { share: Share }) {
  if (!share.expiresAt) return 'Works until it is revoked'
  return (
    <>
      {isOver(share) ? 'Stopped working' : 'Stops working'} <Time at={share.expiresAt} />
    </>
  )
}

const isOver = ({ expiresAt }: Share) => expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()
