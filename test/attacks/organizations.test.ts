import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listTenantTables } from '../../server/database/tenant-tables.ts'
import { erasureSchedules } from '../../server/features/organizations/lifecycle/erase/erase.ts'
import { createChatClient } from '../../server/testing/clients/chat-client.ts'
import { sendHalf } from '../../server/testing/clients/half-sent.ts'
import { countObjects, storedFiles, upload, uploadVersion } from '../../server/testing/factories/uploads.ts'
import { buildTestApp, cookie, type TestApp } from '../../server/testing/test-app.ts'

const DAY_S = 86_400
const TIMEOUTS = { timeout: 60_000, interval: 50 }

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  operator = await app.operator()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const operatorClient = () => app.withSession(operator.person)

/** The number of successful calls; every other call must fail with CONFLICT. */
async function countSuccesses(calls: Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(calls)
  const failures = settled.filter((each) => each.status === 'rejected')
  expect(failures.map(({ reason }) => reason.code).filter((code) => code !== 'CONFLICT')).toEqual([])
  return settled.length - failures.length
}

const times = (count: number, call: () => Promise<unknown>) => Array.from({ length: count }, call)

const FORM = [
  '--edge',
  'content-disposition: form-data; name="file"; filename="notes.txt"',
  'content-type: text/plain',
  '',
  'line\n'.repeat(40_000),
  '--edge--',
  '',
].join('\r\n')

describe('an organization', () => {
  test('leaves no row or object if erased during a run, an export, uploads and a slow call', async () => {
    const chat = await createChatClient(app)
    const { org, person, client } = chat
    const headers = cookie(await app.session(person))
    const { id } = (await upload(app, headers, 'hello')).body.data
    const { url } = await client.publicLinks.create({ id })
    const { guestToken } = await app.as({}).publicLinks.open({ token: url!.split('/f/')[1]! })
    await chat.startStreaming('one')
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=edge' }
    const slow = [
      await sendHalf(`${app.url}/api/v1/files`, { method: 'POST', headers: form, body: FORM }),
      await sendHalf(`${app.url}/api/v1/files/${id}/versions`, { method: 'POST', headers: form, body: FORM }),
      await sendHalf(`${app.url}/api/v1/projects`, { method: 'POST', headers, body: '{"name": "Late"}' }),
    ]
    await (await operatorClient()).erasures.requestOf({ id: org.id, name: org.name })
    app.clock.advance(7 * DAY_S)
    await (await operatorClient()).organizationExports.createOf({ id: org.id })
    await app.app.system().enqueue(erasureSchedules[0]!.job, {})
    await expect
      .poll(() => app.sql`select status from erasures where subject_id = ${org.id}`, TIMEOUTS)
      .toEqual([{ status: 'done' }])

    for (const call of slow) expect((await call.finish()).status).toBeGreaterThanOrEqual(400)
    expect((await fetch(`${app.url}/api/v1/public-links/${guestToken}/files/${id}`)).status).toBe(401)
    // Objects are removed a second time ten minutes later, in case an upload was still being stored.
    await app.sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`
    await expect
      .poll(() => app.sql`select from graphile_worker.jobs where run_at <= now()`, TIMEOUTS)
      .toEqual([])
    for (const { name } of await listTenantTables(app.sql))
      expect([name, await app.sql`select from ${app.sql(name)} where org_id = ${org.id}`]).toEqual([name, []])
    await expect.poll(() => storedFiles(app, org.id), TIMEOUTS).toBe(0)
  })

  test("is closed, exported and erased once by concurrent requests, and owners cannot undo an operator's suspension", async () => {
    const org = await app.organization()
    const { id, name } = org
    const owner = await app.withSession(await app.person(org, { role: 'owner' }))
    const client = await operatorClient()
    const both = [owner.organizationExports.create(), client.organizationExports.createOf({ id })]
    expect(await countSuccesses(both)).toBe(1)
    expect(await countSuccesses(times(5, () => client.erasures.requestOf({ id, name })))).toBe(1)
    await client.operatedOrganizations.suspend({ id, reason: 'Not paid' })
    expect(await countSuccesses(times(5, () => owner.erasures.cancel()))).toBe(1)
    await expect(owner.organization.get()).rejects.toMatchObject({
      details: { reason: 'organization_suspended' },
    })
    await expect(owner.erasures.request({ name })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await countSuccesses(times(5, () => client.operatedOrganizations.resume({ id })))).toBe(1)
    expect(await owner.organization.get()).toMatchObject({ id })
  })
})

test('versions restored, deleted and added concurrently have one number and one object each', async () => {
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner' })
  const headers = cookie(await app.session(person))
  const { fileVersions } = await app.withSession(person)
  const { id } = (await upload(app, headers, '1')).body.data
  for (const content of ['22', '333', '4444']) await uploadVersion(app, headers, id, content)
  const settled = await Promise.allSettled(
    [1, 2, 3].flatMap((version) => [
      fileVersions.restore({ id, version }),
      fileVersions.remove({ id, version }),
      uploadVersion(app, headers, id, `new ${version}`),
    ]),
  )
  const failures = settled.filter((each) => each.status === 'rejected')
  expect(failures.map(({ reason }) => reason.code).filter((code) => code !== 'NOT_FOUND')).toEqual([])
  const { items } = await fileVersions.list({ id, limit: 100 })
  expect(new Set(items.map(({ version }) => version)).size).toBe(items.length)
  const [row] = await app.sql<{ counted: number; keys: number }[]>`
    select (select sum(amount)::int from quota_usage where org_id = ${org.id} and quota = 'storage') as counted,
      (select count(distinct key)::int from (select object_key as key from files where id = ${id}
        union all select object_key from file_versions where file_id = ${id}) k) as keys`
  expect(row!.counted).toBe(items.reduce((sum, { size }) => sum + size, 0))
  expect(await countObjects(app, org.id)).toEqual({ known: row!.keys, unfinished: 0 })
  for (const { version, size } of items) {
    const url = `${app.url}/api/v1/files/${id}/versions/${version}?inline=true`
    expect((await (await fetch(url, { headers })).text()).length).toBe(size)
  }
})
