import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../../contract/index.ts'
import { createSharedProject, guestHeaders, readCanvas } from '../testing/factories/sharing.ts'
import { upload } from '../testing/factories/uploads.ts'
import { captureLog } from '../testing/log.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../testing/test-app.ts'

const log = captureLog()
let app: TestApp
let headers: Headers
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream })
  headers = bearer(await app.key(await app.person(await app.organization()), ['files:write']))
})
afterAll(() => app.close())

test('the log contains no signed URL, whether used to read, to write or without success', async () => {
  const { body } = await upload(app, headers, 'content', { name: 'a.txt' })
  const download = await app.request('GET', `/api/v1/files/${body.data.id}?download=true`, { headers })
  const read = new URL(download.headers.get('location')!)
  const declared = { name: 'b.txt', mimeType: 'text/plain', size: 1 }
  const pending = await app.request('POST', '/api/v1/files', { headers, body: declared })
  const write = new URL(pending.body.data.uploadUrl)
  const type = { 'content-type': 'application/octet-stream' }
  await app.request('GET', read.pathname)
  await app.request('GET', read.pathname.slice(0, -1))
  await app.request('GET', `${read.pathname}?more=1`)
  await app.request('PUT', write.pathname, { headers: type, body: 'x' })

  const lines = log.lines.join('')
  for (const { pathname } of [read, write]) {
    const [payload, signature] = pathname.split('/').at(-1)!.split('.')
    expect(lines).not.toContain(payload)
    expect(lines).not.toContain(signature)
  }
  expect(lines.match(/GET \/api\/v1\/objects\/\[redacted\]/g)).toHaveLength(3)
  expect(lines).toContain('PUT /api/v1/objects/[redacted]')
})

test('the log contains no guest token', async () => {
  const { project, token } = await createSharedProject(app)
  const { 'x-guest-token': guestToken } = await guestHeaders(app, token)
  expect((await readCanvas(app, project, { 'x-guest-token': guestToken! })).status).toBe(200)
  expect(log.lines.join('')).toContain(`GET /api/v1/projects/${project.id}/blocks`)
  expect(log.lines.join('')).not.toContain(guestToken!.split('.').at(-1))
})

test("every path parameter not redacted is a record's id or name", () => {
  const endpoints = Object.values(contract).flatMap((group) =>
    Object.values(group as Record<string, { path: string }>),
  )
  const names = new Set(
    endpoints.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)),
  )
  const unknown = [...names].filter(
    (name) => !/^(id|\w+Id|slug|seq|n|ordinal|version|scope|provider|token)$/.test(name),
  )
  expect(unknown).toEqual([])
})
