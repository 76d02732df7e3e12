import { beforeAll, expect, test } from 'vitest'
import { sendHalf } from '../server/testing/clients/half-sent.ts'
import { countObjects, storedFiles } from '../server/testing/factories/uploads.ts'
import { bearer, shareTestApp, type TestApp } from '../server/testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const CONTENT = 'line\n'.repeat(40_000)
const FORM_HEADERS = {
  'content-type': 'multipart/form-data; boundary=edge',
}
const formOf = (content: string) =>
  [
    '--edge',
    'content-disposition: form-data; name="file"; filename="notes.txt"',
    'content-type: text/plain',
    '',
    content,
    '--edge--',
    '',
  ].join('\r\n')

async function createUploader() {
  const person = await app.person(await app.organization())
  const key = await app.key(person, ['files:write'])
  return { person, key, orgId: person.orgId, headers: bearer(key) }
}

const filesOf = (orgId: string) => app.sql`
  select name from files where org_id = ${orgId} and source = 'upload' and status = 'ready'`

test('a form with a key revoked while the file arrives creates no record and leaves no object', async () => {
  const { key, orgId, headers } = await createUploader()
  const url = `${app.url}/api/v1/files`
  const half = await sendHalf(url, {
    method: 'POST',
    headers: { ...headers, ...FORM_HEADERS },
    body: formOf(CONTENT),
  })
  await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
  await app.sql`update api_keys set revoked_at = now() where id = ${key.id}`
  expect((await half.finish()).status).toBe(401)
  expect(await filesOf(orgId)).toEqual([])
  await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
  expect(await storedFiles(app, orgId)).toBe(0)
})

test('a form still permitted while the file arrives is stored', async () => {
  const { orgId, headers } = await createUploader()
  const url = `${app.url}/api/v1/files`
  const half = await sendHalf(url, {
    method: 'POST',
    headers: { ...headers, ...FORM_HEADERS },
    body: formOf(CONTENT),
  })
  await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
  expect((await half.finish()).status).toBe(201)
  expect(await filesOf(orgId)).toEqual([{ name: 'notes.txt' }])
})

async function createPendingUpload() {
  const uploader = await createUploader()
  const body = { name: 'notes.txt', mimeType: 'text/plain', size: CONTENT.length }
  const created = await app.request('POST', '/api/v1/files', { headers: uploader.headers, body })
  return { ...uploader, uploadUrl: created.body.data.uploadUrl as string }
}

test('an upload URL stores nothing if its creator is removed while the bytes arrive', async () => {
  const { person, orgId, uploadUrl } = await createPendingUpload()
  const half = await sendHalf(uploadUrl, { method: 'PUT', headers: {}, body: CONTENT })
  await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 2, unfinished: 2 })
  await app.sql`delete from memberships where user_id = ${person.id}`
  const { status, body } = await half.finish()
  expect([status, body.error.details]).toEqual([401, { reason: 'access_lost' }])
  expect(await filesOf(orgId)).toEqual([])
  expect(await storedFiles(app, orgId)).toBe(0)
})

test('an upload URL is refused before the bytes are read if its creator was removed', async () => {
  const { person, orgId, uploadUrl } = await createPendingUpload()
  await app.sql`delete from memberships where user_id = ${person.id}`
  const response = await fetch(uploadUrl, { method: 'PUT', body: CONTENT })
  expect(response.status).toBe(401)
  expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
})
