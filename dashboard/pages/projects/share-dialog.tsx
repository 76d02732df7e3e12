import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ProjectDetails, projectQuery } from '../../api/projects.ts'
import { useSession } from '../../api/session.ts'
import { workspacesQuery } from '../../api/workspaces.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Invites } from './share/invites.tsx'
import { ShareLink } from './share/share-link.tsx'
import { sharingQuery } from './share/sharing-queries.ts'
import { StoreLink } from './share/store-link.tsx'
import { whoSees } from './share/who-sees.ts'

interface ShareDialogProps {
  projectId: string
  onClose: () => void
}

/** Who sees a project, and the links by which others come in. Making and revoking them asks for a fresh proof by itself. */
export function ShareDialog({ projectId, onClose }: ShareDialogProps) {
  const [shown, setShown] = useState<{ what: string; url: string; about: string }>()
  const project = useQuery(projectQuery(projectId))
  if (shown) {
    return (
      <StoreLink what={shown.what} url={shown.url} onStored={() => setShown(undefined)}>
        {shown.about}
      </StoreLink>
    )
  }
  return (
    <Dialog size="wide" title={project.data ? `Share ${project.data.name}` : 'Share'} onClose={onClose}>
      {project.isPending && <SkeletonRows rows={3} />}
      {project.error && !project.data && <Failure error={project.error} onRetry={() => project.refetch()} />}
      {project.data && <Content project={project.data} onMade={setShown} />}
    </Dialog>
  )
}

interface ContentProps {
  project: ProjectDetails
  onMade: (link: { what: string; url: string; about: string }) => void
}

function Content({ project, onMade }: ContentProps) {
  const { user } = useSession()
  const sharing = useQuery({ ...sharingQuery(project.id), enabled: project.canEdit })
  const home = useQuery(workspacesQuery).data?.items.find(({ id }) => id === project.workspaceId)?.name
  const share = sharing.data?.share ?? null
  const isMine = project.userId === user.id
  return (
    <div className="flex flex-col">
      <p className="pb-16 text-neutral-11">{whoSees({ project, share, home, isMine })}</p>
      {!project.canEdit && (
        <p className="text-13 text-neutral-11">
          You can look at this project. Editors of its workspaces can share it.
        </p>
      )}
      {sharing.isLoading && <SkeletonRows rows={2} />}
      {sharing.error && !sharing.data && <Failure error={sharing.error} onRetry={() => sharing.refetch()} />}
      {sharing.data && (
        <>
          <Part title="Share link">
            <ShareLink
              projectId={project.id}
              share={share}
              onMade={(url) =>
                onMade({ what: 'share link', url, about: 'Whoever has it comes in, without an account.' })
              }
            />
          </Part>
          <Part title={`Invite into ${home ?? 'the workspace'}`}>
            <Invites
              project={project}
              invites={sharing.data.invites}
              onMade={({ url }) =>
                url &&
                onMade({
                  what: 'invite link',
                  url,
                  about: 'Whoever opens it joins the workspace with an account of their own.',
                })
              }
            />
          </Part>
        </>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-neutral-6 border-t py-16 last:pb-0">
      <h3 className="mb-8 font-strong text-13">{title}</h3>
      {children}
    </section>
  )
}
