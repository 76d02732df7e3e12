import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, guestApi } from '../../api/client.ts'
import { Failure } from '../../components/failure.tsx'
import { AccessEnded } from './access-ended.tsx'
import { CanvasContext } from './canvas-context.ts'
import { CanvasSurface } from './canvas-surface.tsx'
import { GuestKeys } from './guest-keys.tsx'
import { type OpenCanvas, openCanvas } from './open-canvas.ts'
import type { Canvas } from './store/items.ts'
import './canvas.css'

export interface Guest {
  ticket: string
  access: 'view' | 'comment' | 'edit'
  name?: string | undefined
}

interface CanvasPageProps {
  project: { id: string; name: string; folderId: string | null }
  canEdit: boolean
  /** Absent for guests. */
  userId?: string
  guest?: Guest
  /** Called when the settings of the project or the user's access change. */
  onProjectChange?: () => void
  /** Called when the server ends the stream: the project or the access is gone. */
  onEnded?: () => void
  bar?: () => ReactNode
  panel?: () => ReactNode
}

const GUEST_NAME = 'Guest'

/** The canvas of a project, for members and for guests. */
export function CanvasPage(props: CanvasPageProps) {
  const { project, guest } = props
  const ticket = useRef(guest?.ticket)
  useEffect(() => {
    ticket.current = guest?.ticket
  })
  const [headers] = useState(
    () => () => (ticket.current ? { 'x-share-ticket': ticket.current } : {}) as Record<string, string>,
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
  return <div role="status" aria-label="Loading canvas" className="flex-1 animate-late bg-neutral-2" />
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
      userId,
    }),
  )
  useEffect(() => canvas.start(projectChanged), [canvas])
  useEffect(() => canvas.setEditable(canEdit), [canvas, canEdit])
  useEffect(() => {
    if (guest) canvas.setGuestName(guest.name || GUEST_NAME)
  }, [canvas, guest])
  const isEnded = canvas.connection.useSelect((now) => now === 'ended')
  const end = useEffectEvent(() => onEnded?.())
  useEffect(() => {
    if (isEnded) end()
  }, [isEnded])
  if (isEnded) return guest ? null : <AccessEnded />
  return (
    <CanvasContext value={canvas}>
      <ReactFlowProvider>
        <CanvasLayout canvas={canvas} bar={bar} panel={panel} />
        {guest && <GuestKeys />}
      </ReactFlowProvider>
    </CanvasContext>
  )
}

function CanvasLayout({
  bar,
  panel,
  canvas,
}: Pick<CanvasPageProps, 'bar' | 'panel'> & { canvas: OpenCanvas }) {
  const openPanel = panel?.()
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className={`min-w-0 flex-1 flex-col ${openPanel ? 'hidden md:flex' : 'flex'}`}>
        {bar?.()}
        <CanvasSurface canvas={canvas} />
      </div>
      {openPanel}
    </div>
  )
}
