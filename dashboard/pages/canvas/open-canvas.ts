import type { Client } from '../../../client/client.ts'
import type { LiveEvents } from '../../../contract/canvas/live.ts'
import type { Contract } from '../../../contract/index.ts'
import { explainShortly } from '../../api/explain.ts'
import { toast } from '../../components/toast.tsx'
import { type Connection, follow } from '../../live/follow.ts'
import { randomId } from '../../state/random-id.ts'
import { createStore } from '../../state/store.ts'
import { createMoving } from './flow/drag.ts'
import { isTouched } from './flow/touch-device.ts'
import { createView } from './flow/view.ts'
import { createBoard } from './flow/view-model.ts'
import { inBatches } from './live/batches.ts'
import type { LiveEvent } from './live/live-event.ts'
import { createOthers } from './live/presence.ts'
import { createWhereabouts } from './live/send-presence.ts'
import { createCanvasStore } from './store/canvas-store.ts'
import type { Answer, Canvas } from './store/items.ts'
import { positionsIn } from './store/merge-writes.ts'
import type { Write } from './store/write.ts'
import { createDesk } from './ui-state.ts'

/** Of more than this at once nobody could say what lit up. */
const FLASHES_MAX = 50

export interface Opening {
  project: { id: string; name: string; folderId: string | null }
  canvas: Canvas
  api: Client<Contract>
  /** What every call sends beside its own: the ticket of a guest. */
  headers: () => Record<string, string>
  /** What a guest is called; a member has a name already. */
  guestName?: string | undefined
  canEdit: boolean
}

/** Everything that one open canvas is made of, outside of React; `start` connects it, `stop` lets go. */
export function openCanvas({ project, canvas, api, headers, guestName, canEdit }: Opening) {
  const projectId = project.id
  let name = guestName
  const client = randomId()
  const store = createCanvasStore({
    projectId,
    canvas,
    read: () => api.canvas.list({ projectId }),
    send: (write, idempotencyKey) => send(write, idempotencyKey),
    tell: (error) => toast(`Not saved, and taken back: ${explainShortly(error)}`),
  })
  const editable = createStore(canEdit)
  const board = createBoard(store, { canEdit: editable.get, isTouched: isTouched() })
  const moving = createMoving(store, board)
  const connection = createStore<Connection>('connecting')
  const others = createOthers(client)
  const whereabouts = createWhereabouts((where) => api.live.presence({ projectId, client, name, ...where }))

  async function send(write: Write, idempotencyKey: string): Promise<Answer> {
    const positions = positionsIn(write)
    if (!positions) return api.canvas.change({ projectId, ...write }, { idempotencyKey })
    const { items, seq = store.seq() } = await api.canvas.move({ projectId, positions })
    return { blocks: items, edges: [], deleted: { blocks: [], edges: [] }, seq }
  }

  const changes = inBatches<LiveEvents['change']>((told) => {
    const changed = store.hear(told)
    if (changed.size <= FLASHES_MAX) board.flash(changed)
  })

  function hear(event: LiveEvent) {
    others.hear(event)
    if (event.name === 'change') changes.add(event.data)
    else if (event.name !== 'presence' && event.name !== 'left') changes.flush()
    if (event.name === 'ready') {
      whereabouts.again()
      store.wake()
    }
    if (event.name === 'reset') void loadAgain()
    const isAccess = event.name === 'ended' && event.data.reason === 'access'
    if (event.name === 'project' || isAccess) onProject()
  }

  /** Until it works: without it everything that comes after would be wrong. */
  async function loadAgain() {
    for (;;) {
      if (stopped) return
      try {
        return await store.load()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 2000))
      }
    }
  }

  let stopped = false
  let onProject = () => {}
  return {
    project,
    api,
    headers,
    isGuest: guestName !== undefined,
    editable,
    store,
    board,
    moving,
    desk: createDesk(),
    view: createView(),
    connection,
    others: others.all,
    whereabouts,

    setEditable(next: boolean) {
      if (editable.get() === next) return
      editable.set(next)
      board.refresh(store.items.blocks.keys())
    },

    /** A guest is called so from now on. */
    setGuestName(next: string) {
      if (name === next) return
      name = next
      whereabouts.again()
    },

    /** `onChanged` hears when the project itself changed, or what one may do with it. */
    start(onChanged: () => void) {
      stopped = false
      onProject = onChanged
      const open = (signal: AbortSignal) => {
        changes.flush()
        return fetch(`/api/v1/projects/${projectId}/live?client=${client}&since=${store.seq()}`, {
          headers: { accept: 'text/event-stream', ...headers() },
          signal,
        })
      }
      const following = follow<LiveEvent>({
        open,
        onEvent: hear,
        onConnection: (next) => connection.set(next),
      })
      const unselect = board.selection.subscribe(() => whereabouts.select(board.selection.get().blocks))
      const online = () => {
        following.retryNow()
        store.wake()
      }
      window.addEventListener('online', online)
      window.addEventListener('offline', following.disconnect)
      window.addEventListener('beforeunload', askFirst)
      return () => {
        stopped = true
        following.stop()
        unselect()
        window.removeEventListener('online', online)
        window.removeEventListener('offline', following.disconnect)
        window.removeEventListener('beforeunload', askFirst)
      }
    },
  }

  /** The browser asks before what is not saved yet is left. */
  function askFirst(event: BeforeUnloadEvent) {
    if (store.saving.get() !== 'saved') event.preventDefault()
  }
}

export type OpenCanvas = ReturnType<typeof openCanvas>
