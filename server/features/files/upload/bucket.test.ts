import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsOf, upload } from '../../../testing/factories/uploads.ts'
import { startS3Server } from '../../../testing/fakes/s3-server.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../../testing/test-app.ts'

let bucket: Awaited<ReturnType<typeof startS3Server>>
let app: TestApp
let headers: Headers
let orgId: string
beforeAll(async () => {
  bucket = await startS3Server()
  app = await buildTestApp({ env: bucket.env })
  const person = await app.person(await app.organization())
  orgId = person.orgId
  headers = bearer(await app.key(person, ['files:write']))
})
afterAll(async () => {
  await app.close()
  await bucket.close()
})

const read = async (id: string) => (await app.request('GET', `/api/v1/files/${id}`, { headers })).body

async function createPendingUpload(size: number, mimeType = 'text/plain') {
  const body = { name: 'n.txt', mimeType, size }
  return (await app.request('POST', '/api/v1/files', { headers, body })).body.data
}

test('a presigned upload is sent directly to the bucket, and the first read finalizes it', async () => {
  const { file, uploadUrl } = await createPendingUpload(5)
  expect(uploadUrl).not.toContain(app.url)
  expect((await read(file.id)).data.status).toBe('pending')
  const type = { 'content-type': 'application/octet-stream' }
  expect((await fetch(uploadUrl, { method: 'PUT', body: 'hello', headers: type })).status).toBe(200)
  const { data } = await read(file.id)
  expect(data).toMatchObject({ status: 'ready', size: 5, sha256: expect.stringMatching(/^2cf24dba/) })

  // The presigned URL accepts content until it expires, but finalizing has copied the file to another object.
  await fetch(uploadUrl, { method: 'PUT', body: 'other', headers: type })
  const answer = await fetch(app.url + file.storageUrl, { headers })
  expect(await answer.text()).toBe('hello')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="n.txt"/)
})

test('the first read rejects content that contradicts the declared type, and the file stays pending', async () => {
  const { file, uploadUrl } = await createPendingUpload(5, 'image/png')
  const type = { 'content-type': 'application/octet-stream' }
  await fetch(uploadUrl, { method: 'PUT', body: 'hello', headers: type })
  const { error } = await read(file.id)
  expect(error.message).toContain('Not a valid PNG (detected text)')
  expect(error.details[0].path).toBe('body')
  expect((await read(file.id)).data.status).toBe('pending')
})

test('the bucket stores an uploaded form, the server serves it, and a rejected form leaves no object', async () => {
  const { status, body } = await upload(app, headers, 'shown', { name: 'a.txt' })
  expect(status).toBe(201)
  const shown = await fetch(`${app.url}${body.data.storageUrl}&inline=true`, {
    headers: { ...headers, range: 'bytes=1-3' },
  })
  expect([shown.status, await shown.text()]).toEqual([206, 'how'])
  const before = await objectsOf(app, orgId)
  expect((await upload(app, headers, 'text', { name: 'a.png', type: 'image/png' })).status).toBe(400)
  expect(await objectsOf(app, orgId)).toEqual(before)
})

test('an outage of the bucket is reported as an outage of object storage, and everything else works', async () => {
  const { body: stored } = await upload(app, headers, 'stored', { name: 'a.txt' })
  await bucket.stop()
  const outage = {
    code: 'UNAVAILABLE',
    message: 'Object storage is unavailable',
    details: { reason: 'object_storage_unavailable' },
  }
  const failed = await upload(app, headers, 'more', { name: 'b.txt' })
  expect([failed.status, failed.body.error]).toEqual([503, expect.objectContaining(outage)])
  for (const path of ['?download=true', '?download=true&inline=true', '/preview']) {
    const response = await app.request('GET', `/api/v1/files/${stored.data.id}${path}`, { headers })
    expect([response.status, response.body.error], path).toEqual([503, expect.objectContaining(outage)])
  }
  const ready = await app.request('GET', '/readyz')
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'degraded', parts: { database: 'ready', objectStorage: 'unavailable' } },
  ])
  expect((await read(stored.data.id)).data.name).toBe('a.txt')
  await bucket.restart()
  expect((await app.request('GET', '/readyz')).body.status).toBe('ready')
  expect((await upload(app, headers, 'more', { name: 'b.txt' })).status).toBe(201)
})
