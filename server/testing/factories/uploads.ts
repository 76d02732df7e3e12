import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Headers, TestApp } from '../test-app.ts'

interface UploadOptions {
  name?: string
  type?: string
  fields?: Record<string, string>
  headers?: Headers
}

export async function upload(
  app: TestApp,
  headers: Headers,
  content: string | Uint8Array | Blob,
  options: UploadOptions = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(options.fields ?? {})) form.set(name, value)
  form.set('file', new Blob([content as BlobPart], { type: options.type ?? '' }), options.name ?? 'notes.txt')
  return sendForm(app, headers, form, options.headers)
}

export async function uploadVersion(
  app: TestApp,
  headers: Headers,
  id: string,
  content: string | Uint8Array,
  options: Omit<UploadOptions, 'fields'> = {},
) {
  const form = new FormData()
  form.set('file', new Blob([content as BlobPart], { type: options.type ?? '' }), options.name ?? 'notes.txt')
  const init = { method: 'POST', headers: { ...headers, ...options.headers }, body: form }
  return readResponse(await fetch(`${app.url}/api/v1/files/${id}/versions`, init))
}

export async function sendForm(app: TestApp, headers: Headers, form: FormData, extraHeaders: Headers = {}) {
  const init = { method: 'POST', headers: { ...headers, ...extraHeaders }, body: form }
  return readResponse(await fetch(`${app.url}/api/v1/files`, init))
}

/** Sends no other credentials. */
export async function putBytes(url: string, content: string | Uint8Array, headers: Headers = {}) {
  const type = { 'content-type': 'application/octet-stream' }
  return readResponse(
    await fetch(url, { method: 'PUT', headers: { ...type, ...headers }, body: content as BodyInit }),
  )
}

async function readResponse(response: Response) {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

export async function countObjects({ sql }: TestApp, orgId: string) {
  const [row] = await sql<{ known: number; unfinished: number }[]>`
    select count(*) as known, count(*) filter (where stored_at is null) as unfinished
    from objects where org_id = ${orgId}`
  return { ...row! }
}

export async function storedFiles({ dataFolder }: TestApp, orgId: string): Promise<number> {
  const list = (folder: string) =>
    readdir(join(dataFolder, 'objects', folder), { recursive: true, withFileTypes: true })
  const [stored, unfinished] = await Promise.all([list(orgId).catch(() => []), list('tmp')])
  return [...stored, ...unfinished].filter((entry) => entry.isFile()).length
}

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
