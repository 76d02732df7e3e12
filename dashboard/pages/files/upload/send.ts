import { ApiFailure } from '../../../../client/client.ts'
import type { FolderId } from '../files-queries.ts'

interface Sending {
  file: File
  parentId: FolderId
  /** The same for every try, so that a lost answer does not make a second file. */
  idempotencyKey: string
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

/** What is known of a file that has arrived. */
export interface UploadedFile {
  id: string
  name: string
  mimeType: string
  size: number
}

/** Sends one file with its bytes. Not by fetch, which cannot tell how far it is. */
export function send({ file, parentId, idempotencyKey, signal, onProgress }: Sending): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (status: number, error: ConstructorParameters<typeof ApiFailure>[1]) =>
      reject(new ApiFailure(status, error, status ? request.getResponseHeader('retry-after') : null))
    request.open('POST', '/api/v1/files')
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('idempotency-key', idempotencyKey)
    request.upload.onprogress = (event) => onProgress(Math.min(event.loaded, file.size))
    request.onload = () => {
      if (request.status < 300) return resolve(JSON.parse(request.responseText).data)
      fail(
        request.status,
        errorIn(request.responseText) ?? { message: `The server answered ${request.status}` },
      )
    }
    request.onerror = () => fail(0, { message: 'The server cannot be reached' })
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    // Before the file: the server reads the form as it comes.
    if (parentId) form.append('parentId', parentId)
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
