import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { projectQuery } from '../../api/projects.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { ShareDialog } from '../projects/share-dialog.tsx'
import { CanvasBar } from './canvas-bar.tsx'
import { CanvasPage, type Guest } from './canvas-page.tsx'
import { asPanel, CanvasPanel } from './panels/canvas-panel.tsx'

const route = getRouteApi('/app/projects/$ref')

/** The ways to a canvas, in one file, so that whichever way somebody comes it is loaded once and nothing twice. */

/** For members: the canvas, and beside it what the address names. */
export function ProjectRoom() {
  const { ref } = route.useParams()
  const panel = asPanel(route.useSearch().panel)
  const navigate = useNavigate()
  const { data: project, error, refetch } = useQuery(projectQuery(ref))
  useEffect(() => {
    if (project) document.title = `${project.name} · Atrium`
  }, [project])
  if (!project) return error ? <Failure page error={error} onRetry={refetch} /> : <SkeletonRows rows={1} />
  const close = () => navigate({ to: '.', search: {} })
  return (
    <>
      <CanvasPage
        key={project.id}
        project={project}
        canEdit={project.canEdit}
        onProject={refetch}
        bar={() => <CanvasBar project={project} panel={panel} />}
        panel={() =>
          panel && panel !== 'share' && <CanvasPanel panel={panel} project={project} onClose={close} />
        }
      />
      {panel === 'share' && <ShareDialog projectId={project.id} onClose={close} />}
    </>
  )
}

interface GuestCanvasProps {
  share: Guest & { project: { id: string; name: string } }
  /** What the guest wants to be called. */
  name: string
  onEnded: () => void
}

/** For whoever came by a share link. */
export function GuestCanvas({ share, name, onEnded }: GuestCanvasProps) {
  const guest = useMemo(() => ({ ...share, name }), [share, name])
  return (
    <CanvasPage
      project={{ ...share.project, folderId: null }}
      canEdit={share.access === 'edit'}
      guest={guest}
      onEnded={onEnded}
    />
  )
}
