import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countObjects, upload } from '../../../../testing/factories/uploads.ts'
import { startS3Server } from '../../../../testing/fakes/s3-server.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../../../testing/test-app.ts'

let bucket: Awaited<ReturnType<typeof startS3Server>>
let app: TestApp
let headers: Headers
let orgId: string
beforeAll(async () => {
  bucket = await startS3Server()
  app = await buildTestApp({
    env: bucket.env,
    app: { storageDeadlines: { shortMs: 3000, sendMs: 3000, copyMs: 5000, pauseMs: 60_000 } },
  })
  const person = await app.person(await app.organization())
  orgId = person.orgId
  headers = bearer(await app.key(person, ['files:write']))
})
afterAll(async () => {
  await app.close()
  await bucket.close()
})

const read = async (id: string) => (await app.request('GET', `/api/v1/files/${id}`, { headers })).body

const listFiles = async () =>
  (await app.request('GET', '/api/v1/files', { headers })).body.data.items.map(({ id }: { id: string }) => id)

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
  const before = await countObjects(app, orgId)
  expect((await upload(app, headers, 'text', { name: 'a.png', type: 'image/png' })).status).toBe(400)
  expect(await countObjects(app, orgId)).toEqual(before)
})

test('a bucket outage is reported as an object storage outage, and everything else works', async () => {
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
    { status: 'degraded', parts: { database: 'ready', objectStorage: 'unavailable', clock: 'ready' } },
  ])
  expect((await read(stored.data.id)).data.name).toBe('a.txt')
  await bucket.restart()
  expect((await upload(app, headers, 'more', { name: 'b.txt' })).status).toBe(201)
  expect((await app.request('GET', '/readyz')).body.status).toBe('ready')
})

test('a hanging bucket fails only requests that need it, within their deadline, and leaves nothing behind', async () => {
  const { body: stored } = await upload(app, headers, 'stored', { name: 'a.txt' })
  const before = await listFiles()
  bucket.hang(true)
  const failed = await upload(app, headers, 'more', { name: 'c.txt' })
  expect([failed.status, failed.body.error.details]).toEqual([503, { reason: 'object_storage_unavailable' }])
  const large = await upload(app, headers, 'x'.repeat(6 * 1024 * 1024), { name: 'large.txt' })
  expect(large.status).toBe(503)
  const download = await app.request('GET', `/api/v1/files/${stored.data.id}?download=true&inline=true`, {
    headers,
  })
  expect(download.status).toBe(503)

  const ready = await app.request('GET', '/readyz')
  expect([ready.status, ready.body.status]).toEqual([200, 'degraded'])
  const health = await app.request('GET', '/health')
  expect([health.status, health.body.parts.objectStorage]).toEqual([
    200,
    {
      state: 'unavailable',
      problem: expect.stringContaining('The file storage fails'),
      checkedAt: expect.any(String),
      ageSeconds: expect.any(Number),
    },
  ])
  expect((await read(stored.data.id)).data.name).toBe('a.txt')
  expect(await listFiles()).toEqual(before)
  expect(await readdir(join(app.dataFolder, 'objects'))).toEqual([])

  bucket.hang(false)
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
  expect((await upload(app, headers, 'more', { name: 'c.txt' })).status).toBe(201)
  expect(await bucket.openUploads()).toEqual([])
})

test('a full bucket refuses uploads with 507, and stored files can still be read', async () => {
  const { body: stored } = await upload(app, headers, 'stored', { name: 'a.txt' })
  bucket.refuse(({ method }) => method === 'PUT', { status: 507, code: 'InsufficientStorage' })
  const refused = await upload(app, headers, 'more', { name: 'd.txt' })
  expect([refused.status, refused.body.error]).toEqual([
    507,
    expect.objectContaining({ code: 'INSUFFICIENT_STORAGE', details: { reason: 'object_storage_full' } }),
  ])
  const shown = await fetch(`${app.url}${stored.data.storageUrl}&inline=true`, { headers })
  expect([shown.status, await shown.text()]).toEqual([200, 'stored'])
  const { status, body } = await app.request('GET', '/readyz')
  expect([status, body.status, body.parts.objectStorage]).toEqual([200, 'degraded', 'full'])
  bucket.refuse(null)
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
})
