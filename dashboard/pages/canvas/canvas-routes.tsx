import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { projectQuery } from '../../api/projects.ts'
import { useSession } from '../../api/session.ts'
import { useRememberTarget } from '../../components/conversation/remembered-target.ts'
import { RecordFailure } from '../../components/record-failure.tsx'
import { useRecordOpened } from '../../frame/palette/record-opened.ts'
import { usePageTitle } from '../../state/page-title.ts'
import { ShareDialog } from '../projects/projects/share-dialog.tsx'
import { goTo } from './actions/keyboard-navigation.ts'
import { CanvasBar } from './canvas-bar.tsx'
import { useCanvas } from './canvas-context.ts'
import { CanvasPage, type Guest } from './canvas-page.tsx'
import { CanvasSkeleton } from './canvas-skeleton.tsx'
import { CanvasPanel, parsePanel } from './panels/canvas-panel.tsx'

const route = getRouteApi('/app/projects/$ref')

/** Both canvas entry points are in this file, so they share one chunk. */

export function ProjectCanvas() {
  const { ref } = route.useParams()
  const search = route.useSearch()
  const panel = parsePanel(search.panel)
  const navigate = useNavigate()
  const { user } = useSession()
  const { data: project, error, refetch } = useQuery(projectQuery(ref))
  useRecordOpened('project', project?.id)
  useRememberTarget({ projectId: project?.canEdit ? project.id : undefined })
  usePageTitle(project?.name)
  if (!project)
    return error ? (
      <RecordFailure
        page
        error={error}
        onRetry={refetch}
        title="Project not found"
        to="/projects"
        action="All projects"
      />
    ) : (
      <CanvasSkeleton />
    )
  const close = () => navigate({ to: '.', search: {} })
  return (
    <>
      <CanvasPage
        key={project.id}
        project={project}
        canEdit={project.canEdit}
        userId={user.id}
        onProjectChange={refetch}
        bar={() => (
          <>
            <CanvasBar project={project} panel={panel} />
            {search.block && <FoundBlock key={search.block} id={search.block} />}
          </>
        )}
        panelName={panel}
        commenting={
          search.block && search.comment ? { blockId: search.block, threadId: search.comment } : undefined
        }
        panel={() =>
          panel &&
          panel !== 'share' && (
            <CanvasPanel panel={panel} project={project} sessionId={search.session} onClose={close} />
          )
        }
      />
      {panel === 'share' && <ShareDialog projectId={project.id} onClose={close} />}
    </>
  )
}

interface GuestCanvasProps {
  share: Guest & { project: { id: string; name: string } }
  name: string
  onEnded: () => void
}

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

const FRAMES_MAX = 300
/** The first viewport is set in the frame after the canvas appears. */
const FRAMES_AFTER = 3

/** Waits until the canvas has its viewport. */
function FoundBlock({ id }: { id: string }) {
  const canvas = useCanvas()
  useEffect(() => {
    let frame = 0
    const show = (framesLeft: number, framesDrawn: number) => {
      const block = canvas.store.items.blocks.get(id)
      const isDrawn = canvas.view.element()?.querySelector('.react-flow__viewport') != null
      if (block && isDrawn && framesDrawn >= FRAMES_AFTER) {
        goTo(canvas, id)
        canvas.view.flyTo(block)
      } else if (framesLeft > 0)
        frame = requestAnimationFrame(() => show(framesLeft - 1, isDrawn ? framesDrawn + 1 : 0))
    }
    show(FRAMES_MAX, 0)
    return () => cancelAnimationFrame(frame)
  }, [canvas, id])
  return null
}
