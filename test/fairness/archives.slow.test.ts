import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { scheduleArchive } from '../../server/features/files/files/download/archive.ts'
import { PNG, upload } from '../../server/testing/factories/uploads.ts'
import { bearer, shareTestApp, type TestApp } from '../../server/testing/test-app.ts'

/** More than the buffers between the server and a client that does not read. */
const LARGE_BYTES = 16_000_000
const OPEN_MAX = 8

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function createTenant(content: Uint8Array) {
  const headers = bearer(await app.key(await app.person(await app.organization()), ['files:write']))
  const body = { source: 'folder', name: 'Reports' }
  const created = await app.request('POST', '/api/v1/files', { headers, body })
  const parentId = created.body.data.file.id
  await upload(app, headers, content, { name: 'report.png', fields: { parentId } })
  const stop = new AbortController()
  const url = `${app.url}/api/v1/files/${parentId}/archive`
  return { stop, archive: () => fetch(url, { headers, signal: stop.signal }) }
}

test('an organization downloads an archive while another has eight open and reads none', async () => {
  const busy = await createTenant(Buffer.concat([PNG, Buffer.alloc(LARGE_BYTES)]))
  const other = await createTenant(PNG)
  const open = await Promise.all(Array.from({ length: OPEN_MAX }, busy.archive))
  expect(open.map(({ status }) => status)).toEqual(Array(OPEN_MAX).fill(200))
  const refused = await busy.archive()
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ error: { code: 'RATE_LIMITED', details: { reason: 'busy' } } })
  expect((await (await other.archive()).arrayBuffer()).byteLength).toBeGreaterThan(0)
  // The seven archives that are not read do not delay this one.
  expect((await open[0]!.arrayBuffer()).byteLength).toBeGreaterThan(LARGE_BYTES)
  const next = await busy.archive()
  expect(next.status).toBe(200)
  busy.stop.abort()
})

test("an organization gets its archive's pieces while all of another's are blocked", async () => {
  const unblocked = Promise.withResolvers<void>()
  async function* blocked() {
    await unblocked.promise
    yield Buffer.from('late')
  }
  async function* pieces() {
    for (let n = 0; n < 10; n++) yield Buffer.from('piece')
  }
  const busy = Array.from({ length: OPEN_MAX }, () => buffer(scheduleArchive('busy', blocked())))
  expect((await buffer(scheduleArchive('other', pieces()))).toString()).toBe('piece'.repeat(10))
  unblocked.resolve()
  expect((await Promise.all(busy)).map(String)).toEqual(Array(OPEN_MAX).fill('late'))
})

test('a client that reads nothing is disconnected, and its archive no longer counts', async () => {
  let ended = 0
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(1000)
    } finally {
      ended++
    }
  }
  const open = () => scheduleArchive('idle', endless(), { idleMs: 10 })
  const unread: Readable[] = Array.from({ length: OPEN_MAX }, open)
  for (const content of unread) content.read(0)
  expect(open).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  await expect.poll(() => unread.every(({ destroyed }) => destroyed)).toBe(true)
  await expect.poll(() => ended).toBe(OPEN_MAX)
  open().destroy()
})
