import { ApiFailure } from '../../../../client/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { queryClient } from '../../../api/query-client.ts'
import { sessionQuery } from '../../../api/session.ts'
import { toast } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { createStore } from '../../../state/store.ts'
import { nameOrCount } from '../file-labels.ts'
import { refreshFiles } from '../listing/list-cache.ts'
import type { UploadItem } from './collect-files.ts'
import type { Destination } from './destinations.ts'
import { send, type UploadedFile } from './send.ts'

const AT_ONCE_MAX = 3
const REDRAW_MS = 120
const REFRESH_MS = 1000

export interface Upload {
  id: string
  name: string
  size: number
  file: File | undefined
  destination: Destination
  /** Who sent it from which organization; nothing arrives in another one. */
  owner: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  sent: number
  startedAt: number
  error?: string
  requestId?: string
  stop: AbortController
  onDone: ((file: UploadedFile) => void) | undefined
}

/** A queue can be thousands long and change many times a second: entries are mutated in place and rendered at most every `REDRAW_MS`. */
let uploads: Upload[] = []
const drawn = createStore<readonly Upload[]>([])
let redraw: ReturnType<typeof setTimeout> | undefined
let refresh: ReturnType<typeof setTimeout> | undefined

export const useUploads = drawn.use

export function enqueue(wanted: UploadItem[], onDone?: (file: UploadedFile) => void) {
  const owner = whoAmI()
  if (uploads.every((upload) => upload.state === 'done' || upload.owner !== owner)) uploads = []
  uploads.push(
    ...wanted.map(
      ({ file, destination }): Upload => ({
        id: randomId(),
        name: file?.name ?? destination.name,
        size: file?.size ?? 0,
        file,
        destination,
        owner,
        state: 'waiting',
        sent: 0,
        startedAt: 0,
        stop: new AbortController(),
        onDone,
      }),
    ),
  )
  pump()
}

/** Takes it out of the queue, half sent or not; the server keeps nothing of it. */
export function cancel(chosen: readonly Upload[]) {
  const ids = new Set(chosen.map(({ id }) => id))
  uploads = uploads.filter(({ id }) => !ids.has(id))
  for (const upload of chosen) upload.stop.abort()
  pump()
}

export function retry(failed: readonly Upload[]) {
  for (const upload of failed) {
    Object.assign(upload, { state: 'waiting', sent: 0, error: undefined, requestId: undefined })
  }
  pump()
}

export const clearUploads = () => cancel(uploads)

export const isUnderWay = ({ state }: Upload) => state === 'waiting' || state === 'sending'

function pump() {
  const sending = uploads.filter(({ state }) => state === 'sending').length
  const next = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(AT_ONCE_MAX - sending, 0))
  for (const upload of next) void run(upload)
  guardLeaving(uploads.some(isUnderWay))
  draw()
}

async function run(upload: Upload) {
  Object.assign(upload, { state: 'sending', startedAt: performance.now() })
  const { file, destination, stop, id } = upload
  try {
    if (upload.owner !== whoAmI()) throw new ApiFailure(403, { code: 'FORBIDDEN', message: ELSEWHERE })
    const parentId = await destination.id()
    stop.signal.throwIfAborted()
    if (file) {
      const arrived = await send({
        file,
        parentId,
        idempotencyKey: id,
        signal: stop.signal,
        onProgress: (sent) => {
          upload.sent = sent
          draw()
        },
      })
      upload.onDone?.(arrived)
    }
    Object.assign(upload, { state: 'done', sent: upload.size })
    refreshSoon()
  } catch (error) {
    if (stop.signal.aborted) return
    Object.assign(upload, { state: 'failed', error: explainShortly(error), requestId: requestIdOf(error) })
  }
  if (!uploads.some(isUnderWay)) tell()
  pump()
}

const ELSEWHERE = 'You have switched to another organization; switch back and try again'
const requestIdOf = (error: unknown) => (error instanceof ApiFailure ? error.requestId : undefined)

function tell() {
  const done = uploads.filter(({ state }) => state === 'done')
  const failed = uploads.length - done.length
  if (failed > 0) toast(failed === 1 ? 'One upload failed' : `${failed} uploads failed`)
  else if (done.length > 0) toast(`Uploaded ${nameOrCount(done)}`)
}

function draw() {
  const isLonger = drawn.get().length !== uploads.length
  if (redraw) return
  redraw = setTimeout(
    () => {
      redraw = undefined
      drawn.set([...uploads])
    },
    isLonger ? 0 : REDRAW_MS,
  )
}

function refreshSoon() {
  if (refresh) return
  refresh = setTimeout(
    () => {
      refresh = undefined
      void refreshFiles()
    },
    uploads.some(isUnderWay) ? REFRESH_MS : 0,
  )
}

/** The browser asks before the page, and what is being sent with it, is left. */
function guardLeaving(needed: boolean) {
  if (needed) window.addEventListener('beforeunload', askFirst)
  else window.removeEventListener('beforeunload', askFirst)
}

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()

function whoAmI(): string {
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  return session ? `${session.user.id} ${session.organization.id}` : ''
}
