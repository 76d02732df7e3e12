import { afterAll, beforeAll, expect, test } from 'vitest'
import { MANIFEST_BYTES_MAX } from '../../contract/projects/project-export.ts'
import { sendHalf } from '../../server/testing/clients/half-sent.ts'
import { createManifest, manifestBlock } from '../../server/testing/factories/manifests.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { blockedBackends, createTenant } from './tenants.ts'

/** Larger than a body that is kept in memory. */
const manifest = JSON.stringify(
  createManifest({ blocks: Array.from({ length: 300 }, () => manifestBlock({ content: 'x'.repeat(1000) })) }),
)
const BODIES_PER_ORGANIZATION_MAX = 3
const bodyLimits = {
  bytesPerOrganizationMax: BODIES_PER_ORGANIZATION_MAX * manifest.length,
  bytesMax: 2 * BODIES_PER_ORGANIZATION_MAX * manifest.length,
}

let app: TestApp
let busy: Restorer
let other: Restorer
beforeAll(async () => {
  app = await buildTestApp({ app: { bodyLimits } })
  busy = await createRestorer()
  other = await createRestorer()
})
afterAll(() => app.close())

type Restorer = Awaited<ReturnType<typeof createRestorer>>

async function createRestorer() {
  const { org, id, headers } = await createTenant(app)
  const path = `/api/v1/projects/${id}/restore`
  return { org, id, headers, path, restore: () => app.request('POST', path, { headers, body: manifest }) }
}

test("the server limits bytes waiting for one organization's restores, and another restores meanwhile", async () => {
  const blocker = await app.sql.reserve()
  await blocker`begin`
  await blocker`select from projects where org_id = ${busy.org.id} and id = ${busy.id} for update`
  const running = [busy.restore(), busy.restore()]
  // Both are parsed, and their bodies are discarded.
  await expect.poll(async () => (await blockedBackends(app)).length).toBe(2)
  const refused: Awaited<ReturnType<Restorer['restore']>>[] = []
  const waiting = Array.from({ length: 8 }, async () => {
    const response = await busy.restore()
    if (response.status !== 200) refused.push(response)
    return response.status
  })
  await expect.poll(() => refused.length).toBe(8 - BODIES_PER_ORGANIZATION_MAX)
  expect(await other.restore()).toMatchObject({ status: 200 })
  await blocker`rollback`
  blocker.release()
  const statuses = await Promise.all(waiting)
  expect(statuses.filter((status) => status === 200)).toHaveLength(BODIES_PER_ORGANIZATION_MAX)
  expect(refused[0]).toMatchObject({ status: 429, body: { error: { details: { reason: 'busy' } } } })
  expect(refused[0]!.headers.get('retry-after')).toBe('5')
  for (const { status } of await Promise.all(running)) expect(status).toBe(200)
})

test('the server frees bytes from disconnected clients and invalid bodies', async () => {
  const { headers, path } = busy
  for (let round = 0; round < 2; round++) {
    const half = { method: 'POST', headers, body: manifest + ' '.repeat(manifest.length) }
    const halves = await Promise.all([1, 2].map(() => sendHalf(app.url + path, half)))
    for (const { abort } of halves) abort()
    const invalid = await app.request('POST', path, { headers, body: manifest.slice(0, -1) })
    expect(invalid.body.error.message).toMatch(/not valid JSON|Too many large bodies/)
  }
  await expect
    .poll(async () => {
      const responses = await Promise.all([1, 2, 3].map(() => busy.restore()))
      return responses.map(({ status }) => status)
    })
    .toEqual([200, 200, 200])
})

test("the server refuses a length over the endpoint's limit, and undeclared bytes over the budget", async () => {
  const { headers, path } = busy
  const body = ' '.repeat(MANIFEST_BYTES_MAX + 1)
  const declared = await app.request('POST', path, { headers, body })
  expect(declared).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
  const undeclared = await fetch(app.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(undeclared.status).toBe(429)
})
