import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Headers, TestApp } from '../test-app.ts'

interface UploadOptions {
  name?: string
  type?: string
  fields?: Record<string, string>
  headers?: Headers
}

/** Sends a form with a file, as a browser does. */
export async function upload(
  app: TestApp,
  headers: Headers,
  content: string | Uint8Array | Blob,
  sent: UploadOptions = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(sent.fields ?? {})) form.set(name, value)
  form.set('file', new Blob([content as BlobPart], { type: sent.type ?? '' }), sent.name ?? 'notes.txt')
  return sendForm(app, headers, form, sent.headers)
}

export async function sendForm(app: TestApp, headers: Headers, form: FormData, more: Headers = {}) {
  const init = { method: 'POST', headers: { ...headers, ...more }, body: form }
  return answerOf(await fetch(`${app.url}/api/v1/files`, init))
}

/** Follows a signed address, as whoever was given it does. */
export async function putBytes(url: string, content: string | Uint8Array, headers: Headers = {}) {
  const type = { 'content-type': 'application/octet-stream' }
  return answerOf(
    await fetch(url, { method: 'PUT', headers: { ...type, ...headers }, body: content as BodyInit }),
  )
}

async function answerOf(response: Response) {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

/** How many objects are known, and how many of them no record owns. */
export async function objectsOf({ sql }: TestApp, orgId: string) {
  const [row] = await sql<{ known: number; unfinished: number }[]>`
    select count(*) as known, count(*) filter (where stored_at is null) as unfinished
    from objects where org_id = ${orgId}`
  return { ...row! }
}

/** How many files the disk holds for an organization, finished or not. */
export async function storedFiles({ dataFolder }: TestApp, orgId: string): Promise<number> {
  const list = (folder: string) =>
    readdir(join(dataFolder, 'objects', folder), { recursive: true, withFileTypes: true })
  const [mine, unfinished] = await Promise.all([list(orgId).catch(() => []), list('tmp')])
  return [...mine, ...unfinished].filter((entry) => entry.isFile()).length
}

/** The smallest picture there is. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
