import type { LiveEvents } from '../../../contract/canvas/live.ts'
import type { Api } from '../../api/client.ts'
import { shortMessage } from '../../api/explain.ts'
import { queryClient } from '../../api/query-client.ts'
import { withNames } from '../../components/name.tsx'
import { toast } from '../../components/toast.tsx'
import { type Connection, follow } from '../../live/follow.ts'
import { createPresence, createPresenceSender, type LiveEvent } from '../../live/presence.ts'
import { randomId } from '../../state/random-id.ts'
import { createStore } from '../../state/store.ts'
import { createDrag } from './flow/drag.ts'
import { isTouchDevice } from './flow/focus.ts'
import { createSnapping } from './flow/snapping.ts'
import { createViewModel } from './flow/view-model.ts'
import { createCameras, createViewport } from './flow/viewport.ts'
import { createBatcher } from './live/batcher.ts'
import { createCanvasStore } from './store/canvas-store.ts'
import type { Canvas, WriteResult } from './store/items.ts'
import { positionsIn, type Write } from './store/write.ts'
import { createUiState } from './ui-state.ts'

/** Larger batches are not highlighted. */
const MARKS_MAX = 50

const isNewByAgent = ({ action, runId }: LiveEvents['change']) => action === 'created' && runId !== null

export interface OpenCanvasOptions {
  project: { id: string; name: string; folderId: string | null }
  canvas: Canvas
  api: Api
  /** Sent with every request: a guest's token. */
  headers: () => Record<string, string>
  /** Only for guests. */
  guestName?: string | undefined
  canEdit: boolean
  canComment: boolean
  /** Null for guests. */
  userId: string | null
}

/** Keeps state outside React. `start` connects and returns a disconnect function. */
export function openCanvas(options: OpenCanvasOptions) {
  const { project, canvas, api, headers, guestName, canEdit, canComment, userId } = options
  const projectId = project.id
  let name = guestName
  const client = randomId()
  const store = createCanvasStore({
    projectId,
    canvas,
    read: () => api.canvas.list({ projectId }),
    send: (write, idempotencyKey) => send(write, idempotencyKey),
    onRejected: (error) => toast(withNames`Change reverted: ${shortMessage(error)}`),
  })
  const editable = createStore(canEdit)
  const viewModel = createViewModel(store, { canEdit: editable.get, isTouch: isTouchDevice() })
  const ui = createUiState()
  const cameras = createCameras(userId)
  const view = createViewport({ onOwnMove: () => ui.following.set(null) })
  const snapping = createSnapping({
    blocks: store.items.blocks,
    isOn: () => ui.snapToBlocks.get() && !ui.snapToGrid.get(),
    visible: view.visible,
  })
  const drag = createDrag(store, viewModel, snapping)
  const connection = createStore<Connection>('connecting')
  const presence = createPresence({ client, userId, tableId: null })
  const presenceSender = createPresenceSender((state) =>
    api.live.presence({ projectId, client, name, ...state }),
  )

  async function send(write: Write, idempotencyKey: string): Promise<WriteResult> {
    const positions = positionsIn(write)
    if (!positions) return api.canvas.change({ projectId, ...write }, { idempotencyKey })
    const { items, seq = store.seq() } = await api.canvas.move({ projectId, positions })
    return { blocks: items, edges: [], deleted: { blocks: [], edges: [] }, seq }
  }

  const changes = createBatcher<LiveEvents['change']>((batch) => {
    const changed = store.applyRemote(batch)
    if (changed.size > MARKS_MAX) return
    const arriving = new Set(batch.filter(isNewByAgent).map(({ itemId }) => itemId))
    viewModel.mark(
      [...changed].filter((id) => !arriving.has(id)),
      'canvas-flash',
    )
    viewModel.mark(arriving, 'canvas-arriving')
  })

  function onEvent(event: LiveEvent) {
    presence.apply(event)
    if (event.name === 'change') changes.add(event.data)
    else if (event.name !== 'presence' && event.name !== 'left') changes.flush()
    if (event.name === 'ready') {
      presenceSender.resend()
      store.retryNow()
    }
    if (event.name === 'ready' || event.name === 'comments')
      void queryClient.invalidateQueries({ queryKey: ['comments'] })
    if (event.name === 'ready' || event.name === 'table')
      void queryClient.invalidateQueries({ queryKey: ['tables', 'block'] })
    if (event.name === 'reset') void reload()
    const isAccessChange = event.name === 'ended' && event.data.reason === 'access'
    if (event.name === 'project' || isAccessChange) onProjectChange()
  }

  /** Retries until it succeeds: later changes don't apply to a stale canvas. */
  async function reload() {
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
  let onProjectChange = () => {}
  return {
    project,
    api,
    headers,
    isGuest: guestName !== undefined,
    canComment,
    editable,
    store,
    viewModel,
    drag,
    snapping,
    ui,
    view,
    connection,
    participants: presence.all,
    presenceSender,

    savedCamera: () => cameras.find(projectId),
    saveCamera() {
      if (ui.presenting.get() === null) cameras.save(projectId, view.camera())
    },

    setEditable(next: boolean) {
      if (editable.get() === next) return
      editable.set(next)
      viewModel.refresh(store.items.blocks.keys())
    },

    setGuestName(next: string) {
      if (name === next) return
      name = next
      presenceSender.resend()
    },

    /** `onChanged` runs when the project's settings or the user's access change. */
    start(onChanged: () => void) {
      stopped = false
      onProjectChange = onChanged
      const open = (signal: AbortSignal) => {
        changes.flush()
        return fetch(`/api/v1/projects/${projectId}/live?client=${client}&since=${store.seq()}`, {
          headers: { accept: 'text/event-stream', ...headers() },
          signal,
        })
      }
      const following = follow<LiveEvent>({
        open,
        onEvent,
        onConnection: (next) => connection.set(next),
      })
      const unsubscribe = viewModel.selection.subscribe(() =>
        presenceSender.select(viewModel.selection.get().blocks),
      )
      const onOnline = () => {
        following.retryNow()
        store.retryNow()
      }
      window.addEventListener('online', onOnline)
      window.addEventListener('offline', following.disconnect)
      window.addEventListener('beforeunload', warnIfUnsaved)
      return () => {
        stopped = true
        following.stop()
        unsubscribe()
        window.removeEventListener('online', onOnline)
        window.removeEventListener('offline', following.disconnect)
        window.removeEventListener('beforeunload', warnIfUnsaved)
      }
    },
  }

  function warnIfUnsaved(event: BeforeUnloadEvent) {
    if (store.saving.get() !== 'saved') event.preventDefault()
  }
}

export type OpenCanvas = ReturnType<typeof openCanvas>
