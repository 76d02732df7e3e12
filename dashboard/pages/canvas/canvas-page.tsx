import { t } from '../../../contract/text.ts'
import './canvas.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { Unplug, WifiOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, guestApi } from '../../api/client.ts'
import { useReportLostStream } from '../../api/reachability.ts'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Banner } from '../../frame/banners.tsx'
import { useKeyboard } from '../../frame/keyboard.ts'
import { ShortcutsSheet } from '../../frame/shortcuts-sheet.tsx'
import { closeOverlay, useOverlay } from '../../state/overlay.ts'
import { CanvasContext, useCanvas } from './canvas-context.ts'
import { CanvasSkeleton } from './canvas-skeleton.tsx'
import { type OpenCanvas, openCanvas } from './open-canvas.ts'
import type { Canvas } from './store/items.ts'
import { CanvasSurface } from './surface/canvas-surface.tsx'
import type { OpenComments } from './ui-state.ts'

/** Loaded after the canvas. */
const CommentsPanel = lazy(() => import('./panels/comments-panel.tsx'))
const RunPanel = lazy(() => import('./panels/run-panel.tsx'))
const CommentCounts = lazy(() => import('./panels/comment-counts.tsx'))

export interface Guest {
  guestToken: string
  access: 'view' | 'comment' | 'edit'
  name?: string | undefined
}

interface CanvasPageProps {
  project: { id: string; name: string; folderId: string | null }
  canEdit: boolean
  /** Absent for guests. */
  userId?: string
  guest?: Guest
  onProjectChange?: () => void
  /** The project was deleted or access was lost. */
  onEnded?: () => void
  bar?: () => ReactNode
  panel?: () => ReactNode
  /** Opening a panel closes the comments. */
  panelName?: string | undefined
  commenting?: OpenComments | undefined
}

const GUEST_NAME = t`Guest`

/** For members and guests. */
export function CanvasPage(props: CanvasPageProps) {
  const { project, guest } = props
  const guestToken = useRef(guest?.guestToken)
  useEffect(() => {
    guestToken.current = guest?.guestToken
  })
  const [headers] = useState(
    () => () => (guestToken.current ? { 'x-guest-token': guestToken.current } : {}) as Record<string, string>,
  )
  const [client] = useState(() => (guest ? guestApi(headers) : api))
  const canvas = useQuery({
    queryKey: ['canvas', project.id, guest ? 'guest' : 'member'],
    queryFn: ({ signal }) => client.canvas.list({ projectId: project.id }, { signal }),
    // Loaded once: the stream then delivers all changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (canvas.data) {
    return <LoadedCanvas {...props} client={client} headers={headers} initial={canvas.data} />
  }
  if (canvas.error) return <Failure page error={canvas.error} onRetry={() => canvas.refetch()} />
  return guest ? (
    <div role="status" aria-label="Loading canvas" className="flex-1 animate-late bg-page" />
  ) : (
    <CanvasSkeleton />
  )
}

interface LoadedCanvasProps extends CanvasPageProps {
  client: typeof api
  headers: () => Record<string, string>
  initial: Canvas
}

function LoadedCanvas(props: LoadedCanvasProps) {
  const {
    project,
    canEdit,
    userId = null,
    guest,
    client,
    headers,
    initial,
    onProjectChange,
    onEnded,
    bar,
    panel,
    panelName,
    commenting,
  } = props
  const projectChanged = useEffectEvent(() => onProjectChange?.())
  const [canvas] = useState(() =>
    openCanvas({
      project,
      canvas: initial,
      api: client,
      headers,
      guestName: guest && (guest.name || GUEST_NAME),
      canEdit,
      canComment: guest?.access !== 'view',
      userId,
    }),
  )
  useEffect(() => canvas.start(projectChanged), [canvas])
  useEffect(() => canvas.setEditable(canEdit), [canvas, canEdit])
  useEffect(() => {
    if (guest) canvas.setGuestName(guest.name || GUEST_NAME)
  }, [canvas, guest])
  const threadKey = commenting && `${commenting.blockId} ${commenting.threadId}`
  const openComments = useEffectEvent(() => {
    const block = commenting && canvas.store.items.blocks.get(commenting.blockId)
    if (!block) return
    canvas.ui.commenting.set(commenting)
    canvas.viewModel.select([block.id])
    setTimeout(() => canvas.view.fit([block]))
  })
  useEffect(() => {
    if (threadKey) openComments()
  }, [threadKey])
  const isEnded = canvas.connection.useSelect((state) => state === 'ended')
  const end = useEffectEvent(() => onEnded?.())
  useEffect(() => {
    if (isEnded) end()
  }, [isEnded])
  if (isEnded) return guest ? null : <AccessEnded />
  return (
    <CanvasContext value={canvas}>
      <ReactFlowProvider>
        <CanvasLayout canvas={canvas} bar={bar} panel={panel} panelName={panelName} />
        {guest && <GuestKeys />}
      </ReactFlowProvider>
    </CanvasContext>
  )
}

function CanvasLayout({
  bar,
  panel,
  panelName,
  canvas,
}: Pick<CanvasPageProps, 'bar' | 'panel' | 'panelName'> & { canvas: OpenCanvas }) {
  const { commenting: commentingStore, inspecting: inspectingStore } = canvas.ui
  const commenting = commentingStore.use()
  const inspecting = inspectingStore.use()
  // The panel opened last replaces the others.
  useEffect(() => {
    if (!panelName) return
    commentingStore.set(null)
    inspectingStore.set(null)
  }, [panelName, commentingStore, inspectingStore])
  useEffect(() => {
    if (commenting) inspectingStore.set(null)
  }, [commenting, inspectingStore])
  useEffect(() => {
    if (inspecting) commentingStore.set(null)
  }, [inspecting, commentingStore])
  const openPanel = inspecting ? (
    <RunPanel blockId={inspecting} />
  ) : commenting ? (
    <CommentsPanel commenting={commenting} />
  ) : (
    panel?.()
  )
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className={`min-w-0 flex-1 flex-col ${openPanel ? 'hidden md:flex' : 'flex'}`}>
        {bar?.()}
        <LiveBanner />
        <CanvasSurface canvas={canvas} />
      </div>
      <Suspense>
        {openPanel}
        {canvas.canComment && <CommentCounts />}
      </Suspense>
    </div>
  )
}

function AccessEnded() {
  return (
    <Empty
      page
      icon={Unplug}
      title="You no longer have access to this project"
      action={
        <Link to="/projects" className={buttonClass('primary')}>
          Go to projects
        </Link>
      }
    >
      It was deleted or made private, or you left its workspace. Your earlier changes were saved.
    </Empty>
  )
}

/** For guests; members see the frame's banner. */
function LiveBanner() {
  const { connection, isGuest } = useCanvas()
  const isLost = connection.useSelect((state) => state === 'lost')
  useReportLostStream(isLost && !isGuest)
  if (!isLost || !isGuest) return null
  return <Banner Icon={WifiOff}>Can’t reach the server. Reconnecting…</Banner>
}

/** A guest's page has no app frame. */
function GuestKeys() {
  useKeyboard([])
  const overlay = useOverlay()
  return overlay === 'shortcuts' ? <ShortcutsSheet commands={[]} onClose={closeOverlay} /> : null
}
