import { ApiFailure } from '../../client/client.ts'
import { t } from '../../contract/text.ts'
import { recordOutage } from './reachability.ts'

interface UploadOptions {
  file: File
  /** Null is the root folder. */
  parentId: string | null
  replaces?: string
  /** The same for every attempt, so a retry after a lost response creates no second file. */
  idempotencyKey: string
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

export interface UploadedFile {
  id: string
  name: string
  mimeType: string
  size: number
}

/** Uses XMLHttpRequest, since fetch doesn't report upload progress. */
export function uploadFile({
  file,
  parentId,
  replaces,
  idempotencyKey,
  signal,
  onProgress,
}: UploadOptions): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (status: number, error: ConstructorParameters<typeof ApiFailure>[1]) => {
      const failure = new ApiFailure(status, error, status ? request.getResponseHeader('retry-after') : null)
      recordOutage(failure.reason)
      reject(failure)
    }
    request.open('POST', replaces ? `/api/v1/files/${replaces}/versions` : '/api/v1/files')
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('idempotency-key', idempotencyKey)
    request.upload.onprogress = (event) => onProgress(Math.min(event.loaded, file.size))
    request.onload = () => {
      if (request.status < 300) return resolve(JSON.parse(request.responseText).data)
      fail(
        request.status,
        errorIn(request.responseText) ?? { message: t`The server returned ${request.status}` },
      )
    }
    request.onerror = () => fail(0, { message: t`Can’t reach the server` })
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    // Must precede the file: the server parses the form as a stream.
    if (parentId && !replaces) form.append('parentId', parentId)
    form.append('file', file, file.name)
    request.send(form)
  })
}

function errorIn(text: string): ConstructorParameters<typeof ApiFailure>[1] | undefined {
  try {
    return JSON.parse(text).error
  } catch {
    return undefined
  }
}
