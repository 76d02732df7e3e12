import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type ProjectDetails, projectQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Invites } from './share/invites.tsx'
import { ShareLink } from './share/share-link.tsx'
import { sharingQuery } from './share/sharing-queries.ts'
import { visibilitySentence } from './share/visibility-sentence.ts'

interface ShareDialogProps {
  projectId: string
  onClose: () => void
}

export function ShareDialog({ projectId, onClose }: ShareDialogProps) {
  const [createdLink, setCreatedLink] = useState<CreatedLink>()
  const project = useQuery(projectQuery(projectId))
  if (createdLink) {
    return (
      <SecretDialog
        title={createdLink.title}
        what={createdLink.noun}
        value={createdLink.url}
        about={t`The link is shown only once. ${createdLink.about}`}
        onClose={() => setCreatedLink(undefined)}
      />
    )
  }
  return (
    <Dialog
      size="wide"
      title={project.data ? withNames`Share ${project.data.name}` : t`Share`}
      onClose={onClose}
    >
      {project.isPending && <SkeletonRows rows={3} />}
      {project.error && !project.data && <Failure error={project.error} onRetry={() => project.refetch()} />}
      {project.data && <Content project={project.data} onCreated={setCreatedLink} />}
    </Dialog>
  )
}

interface CreatedLink {
  title: string
  noun: string
  url: string
  about: string
}

interface ContentProps {
  project: ProjectDetails
  onCreated: (link: CreatedLink) => void
}

function Content({ project, onCreated }: ContentProps) {
  const { user } = useSession()
  const sharing = useQuery({ ...sharingQuery(project.id), enabled: project.canEdit })
  const primaryWorkspace = useQuery(workspacesQuery).data?.items.find(
    ({ id }) => id === project.workspaceId,
  )?.name
  const share = sharing.data?.share ?? null
  return (
    <div className="flex flex-col">
      <p className="pb-16 text-neutral-11">
        {visibilitySentence({ project, share, primaryWorkspace, isCreator: project.userId === user.id })}
      </p>
      {!project.canEdit && (
        <p className="text-13 text-neutral-11">
          You can view this project. Editors in its workspaces can share it.
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
              onCreated={(url) =>
                onCreated({
                  title: t`Copy your share link`,
                  noun: t`share link`,
                  url,
                  about: t`Anyone with the link (and its password, if set) can open the project without an account.`,
                })
              }
            />
          </Part>
          <Part title={textWithNames`Invite to ${primaryWorkspace ?? t`the workspace`}`}>
            <Invites
              project={project}
              invites={sharing.data.invites}
              onCreated={({ url }) =>
                url &&
                onCreated({
                  title: t`Copy your invite link`,
                  noun: t`invite link`,
                  url,
                  about: t`Anyone with the link can join the workspace with their own account.`,
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
