import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, guestApi } from '../../api/client.ts'
import { Failure } from '../../components/failure.tsx'
import { Ended } from './access-ended.tsx'
import { CanvasContext } from './canvas-context.ts'
import { CanvasSurface } from './canvas-surface.tsx'
import { GuestKeys } from './guest-keys.tsx'
import { type OpenCanvas, openCanvas } from './open-canvas.ts'
import type { Canvas } from './store/items.ts'
import './canvas.css'

/** Somebody who came by a share link. */
export interface Guest {
  ticket: string
  access: 'view' | 'comment' | 'edit'
  /** What they want to be called. */
  name?: string | undefined
}

interface CanvasPageProps {
  project: { id: string; name: string; folderId: string | null }
  canEdit: boolean
  guest?: Guest
  /** Its settings, or what one may do with it, changed. */
  onProject?: () => void
  /** The server let go: the project or the way in is gone. */
  onEnded?: () => void
  /** What stands above the canvas and beside it, once it is open. */
  bar?: () => ReactNode
  panel?: () => ReactNode
}

const GUEST = 'Guest'

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
    // Read once: from then on the stream says what changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (canvas.data) {
    return <Opened {...props} client={client} headers={headers} first={canvas.data} />
  }
  if (canvas.error) return <Failure page error={canvas.error} onRetry={() => canvas.refetch()} />
  return <div role="status" aria-label="Loading the canvas" className="flex-1 animate-late bg-neutral-2" />
}

interface OpenedProps extends CanvasPageProps {
  client: typeof api
  headers: () => Record<string, string>
  first: Canvas
}

function Opened(props: OpenedProps) {
  const { project, canEdit, guest, client, headers, first, onProject, onEnded, bar, panel } = props
  const changed = useEffectEvent(() => onProject?.())
  const [canvas] = useState(() =>
    openCanvas({
      project,
      canvas: first,
      api: client,
      headers,
      guestName: guest && (guest.name || GUEST),
      canEdit,
    }),
  )
  useEffect(() => canvas.start(changed), [canvas])
  useEffect(() => canvas.setEditable(canEdit), [canvas, canEdit])
  useEffect(() => {
    if (guest) canvas.setGuestName(guest.name || GUEST)
  }, [canvas, guest])
  const isEnded = canvas.connection.useSelect((now) => now === 'ended')
  const end = useEffectEvent(() => onEnded?.())
  useEffect(() => {
    if (isEnded) end()
  }, [isEnded])
  if (isEnded) return guest ? null : <Ended />
  return (
    <CanvasContext value={canvas}>
      <ReactFlowProvider>
        <Shown canvas={canvas} bar={bar} panel={panel} />
        {guest && <GuestKeys />}
      </ReactFlowProvider>
    </CanvasContext>
  )
}

function Shown({ bar, panel, canvas }: Pick<CanvasPageProps, 'bar' | 'panel'> & { canvas: OpenCanvas }) {
  const beside = panel?.()
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className={`min-w-0 flex-1 flex-col ${beside ? 'hidden md:flex' : 'flex'}`}>
        {bar?.()}
        <CanvasSurface canvas={canvas} />
      </div>
      {beside}
    </div>
  )
}
