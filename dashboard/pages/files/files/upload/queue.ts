import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { shortMessage } from '../../../../api/explain.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { sessionQuery } from '../../../../api/session.ts'
import { type UploadedFile, uploadFile } from '../../../../api/upload-file.ts'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'
import { randomId } from '../../../../state/random-id.ts'
import { createStore } from '../../../../state/store.ts'
import { nameOrCount } from '../file-labels.ts'
import { refreshFiles } from '../files-queries.ts'
import type { Destination, UploadItem } from './collect-files.ts'

const CONCURRENCY_MAX = 3
const RENDER_MS = 120
const REFRESH_MS = 1000

export interface Upload {
  id: string
  name: string
  size: number
  file: File | undefined
  /** The file that gets this content as a new version. */
  replaces: string | undefined
  destination: Destination
  /** The upload's user and organization. It's never sent to another organization. */
  owner: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  sent: number
  startedAt: number
  error?: string
  requestId?: string
  controller: AbortController
  onDone: ((file: UploadedFile) => void) | undefined
}

/**
 * A queue can hold thousands and change many times a second, so entries are mutated in place and rendered at most every
 * `RENDER_MS`.
 */
let uploads: Upload[] = []
const rendered = createStore<readonly Upload[]>([])
let renderTimer: ReturnType<typeof setTimeout> | undefined
let refreshTimer: ReturnType<typeof setTimeout> | undefined

export const useUploads = rendered.use

export function enqueue(items: UploadItem[], onDone?: (file: UploadedFile) => void) {
  const owner = currentOwner()
  if (uploads.every((upload) => upload.state === 'done' || upload.owner !== owner)) uploads = []
  uploads.push(
    ...items.map(
      ({ file, destination, replaces }): Upload => ({
        id: randomId(),
        name: file?.name ?? destination.name,
        size: file?.size ?? 0,
        file,
        replaces,
        destination,
        owner,
        state: 'waiting',
        sent: 0,
        startedAt: 0,
        controller: new AbortController(),
        onDone,
      }),
    ),
  )
  pump()
}

/** The server discards partial files. */
export function cancel(canceled: readonly Upload[]) {
  const ids = new Set(canceled.map(({ id }) => id))
  uploads = uploads.filter(({ id }) => !ids.has(id))
  for (const upload of canceled) upload.controller.abort()
  pump()
}

export function retry(failed: readonly Upload[]) {
  for (const upload of failed) {
    Object.assign(upload, { state: 'waiting', sent: 0, error: undefined, requestId: undefined })
  }
  pump()
}

export const clearUploads = () => cancel(uploads)

export const isActive = ({ state }: Upload) => state === 'waiting' || state === 'sending'

function pump() {
  const sending = uploads.filter(({ state }) => state === 'sending').length
  const next = uploads
    .filter(({ state }) => state === 'waiting')
    .slice(0, Math.max(CONCURRENCY_MAX - sending, 0))
  for (const upload of next) void run(upload)
  guardLeaving(uploads.some(isActive))
  render()
}

async function run(upload: Upload) {
  Object.assign(upload, { state: 'sending', startedAt: performance.now() })
  const { file, destination, controller, id, replaces } = upload
  try {
    if (upload.owner !== currentOwner())
      throw new ApiFailure(403, { code: 'FORBIDDEN', message: OTHER_ORGANIZATION })
    const parentId = await destination.id()
    controller.signal.throwIfAborted()
    if (file) {
      const uploaded = await uploadFile({
        file,
        parentId,
        replaces,
        idempotencyKey: id,
        signal: controller.signal,
        onProgress: (sent) => {
          upload.sent = sent
          render()
        },
      })
      if (replaces) void queryClient.invalidateQueries({ queryKey: ['preview', replaces] })
      upload.onDone?.(uploaded)
    }
    Object.assign(upload, { state: 'done', sent: upload.size })
    refreshSoon()
  } catch (error) {
    if (controller.signal.aborted) return
    Object.assign(upload, { state: 'failed', error: shortMessage(error), requestId: requestIdOf(error) })
  }
  if (!uploads.some(isActive)) showResult()
  pump()
}

const OTHER_ORGANIZATION = t`You switched to another organization. Switch back and try again`
const requestIdOf = (error: unknown) => (error instanceof ApiFailure ? error.requestId : undefined)

function showResult() {
  const done = uploads.filter(({ state }) => state === 'done')
  const failed = uploads.length - done.length
  if (failed > 0) toast(failed === 1 ? t`1 upload failed` : t`${failed} uploads failed`)
  else if (done.length > 0 && done.every(({ replaces }) => replaces))
    toast(withNames`Uploaded a new version of ${nameOrCount(done)}`)
  else if (done.length > 0) toast(withNames`Uploaded ${nameOrCount(done)}`)
}

function render() {
  const isLengthChanged = rendered.get().length !== uploads.length
  if (renderTimer) return
  renderTimer = setTimeout(
    () => {
      renderTimer = undefined
      rendered.set([...uploads])
    },
    isLengthChanged ? 0 : RENDER_MS,
  )
}

function refreshSoon() {
  if (refreshTimer) return
  refreshTimer = setTimeout(
    () => {
      refreshTimer = undefined
      void refreshFiles()
    },
    uploads.some(isActive) ? REFRESH_MS : 0,
  )
}

function guardLeaving(needed: boolean) {
  if (needed) window.addEventListener('beforeunload', confirmLeaving)
  else window.removeEventListener('beforeunload', confirmLeaving)
}

const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

function currentOwner(): string {
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  return session ? `${session.user.id} ${session.organization.id}` : ''
}
