import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QUOTA_NAMES, QUOTAS, type QuotaName } from '../../../../contract/quotas.ts'
import { buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_QUOTA_WEBHOOKS: '7' } })
  operator = await app.operator()
})
afterAll(() => app.close())

async function createOwner() {
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner', name: 'Ada' })
  const headers = cookie(await app.session(person))
  return { org, person, headers, client: app.as(headers) }
}
type Owner = Awaited<ReturnType<typeof createOwner>>

const allow = ({ org }: Owner, limits: Partial<Record<QuotaName, number | null>>) =>
  operator.client.quotas.update({ id: org.id, ...limits })

const stateOf = async ({ client }: Owner, quota: QuotaName) =>
  (await client.quotas.list()).items.find(({ name }) => name === quota)!

const exceeded = (quota: QuotaName, used: number, allowed: number) => ({
  // Usage per day decreases over time, so the caller can retry.
  code: quota === 'payments' ? 'RATE_LIMITED' : 'FORBIDDEN',
  message: expect.stringContaining(`"${quota}"`),
  details: { reason: 'quota_exceeded', quota, used, allowed },
})

/** Makes eight concurrent calls. Returns how many succeeded, and the refusals of the others. */
async function callConcurrently(call: (n: number) => Promise<unknown>) {
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => call(n)))
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return { succeeded: outcomes.length - refusals.length, refusals }
}

describe('GET /org/quotas', () => {
  test('shows every quota with its usage, limit and configured default', async () => {
    const { items } = await (await createOwner()).client.quotas.list()
    expect(items.map(({ name }) => name)).toEqual(QUOTA_NAMES)
    expect(items.find(({ name }) => name === 'webhooks')).toEqual({
      name: 'webhooks',
      label: 'Webhooks',
      unit: 'items',
      description: QUOTAS.webhooks.description,
      used: 0,
      allowed: 7,
      default: 7,
      isDefault: true,
    })
    expect(items.find(({ name }) => name === 'projects')).toMatchObject({
      allowed: QUOTAS.projects.default,
      isDefault: true,
    })
  })
})

describe('concurrent creation', () => {
  const cases: [QuotaName, limit: number, create: (owner: Owner, n: number) => Promise<unknown>][] = [
    ['projects', 3, ({ client }, n) => client.projects.create({ name: `Project ${n}` })],
    // One of them is the agent that the organization starts with.
    ['agents', 4, ({ client }, n) => client.agents.create({ name: `Agent ${n}` })],
    [
      'schedules',
      3,
      async ({ client, person }, n) =>
        client.schedules.create({
          projectId: (await app.project(person)).id,
          message: `Message ${n}`,
          cron: '0 9 * * *',
        }),
    ],
    ['webhooks', 3, ({ client }, n) => client.webhooks.create({ name: `Hook ${n}` })],
    [
      'providers',
      3,
      ({ client }, n) =>
        client.modelProviders.create({ kind: 'openai', name: 'x', slug: `p${n}`, apiKey: 'k' }),
    ],
    [
      'payments',
      3,
      ({ client }, n) =>
        client.machinePayments.create({
          ...{ amount: '1.00', currency: 'usd', reason: 'Data', idempotencyKey: `order-${n}` },
        }),
    ],
    ['invites', 3, ({ client }, n) => client.organization.invite({ email: `guest${n}@example.com` })],
    ['files', 3, ({ client }, n) => client.files.create({ source: 'folder', name: `Folder ${n}` })],
    [
      'storage',
      300,
      ({ client }, n) => client.files.create({ name: `f${n}.txt`, mimeType: 'text/plain', size: 100 }),
    ],
  ]
  test.each(cases)('uses exactly the remaining quota: %s', async (quota, limit, create) => {
    const [subject, other] = [await createOwner(), await createOwner()]
    await allow(subject, { [quota]: limit })
    const { succeeded, refusals } = await callConcurrently((n) => create(subject, n))
    expect(succeeded).toBe(3)
    const used = limit
    for (const refusal of refusals) expect(refusal).toMatchObject(exceeded(quota, used, limit))
    expect(await stateOf(subject, quota)).toMatchObject({ used, allowed: limit, isDefault: false })
    await create(other, 1)
  })

  test('uses exactly the remaining quota: keys, including device login', async () => {
    const subject = await createOwner()
    await allow(subject, { keys: 2 })
    const { succeeded } = await callConcurrently((n) => subject.client.apiKeys.create({ name: `Key ${n}` }))
    expect(succeeded).toBe(2)
    const { device_code, user_code } = await app.as({}).deviceLogin.start({})
    await subject.client.deviceLogin.approve({ user_code })
    const exchange = { path: '/api/v1/auth/device/token', body: { device_code } }
    const refused = await app.request('POST', exchange.path, { body: exchange.body })
    expect([refused.status, refused.body.error]).toEqual([400, 'quota_exceeded'])
    const [first] = (await subject.client.apiKeys.list()).items
    await subject.client.apiKeys.revoke({ id: first!.id })
    expect((await app.request('POST', exchange.path, { body: exchange.body })).status).toBe(200)
  })

  test('uses exactly the remaining quota: blocks across all canvases', async () => {
    const subject = await createOwner()
    const projects = [await app.project(subject.person), await app.project(subject.person)]
    await allow(subject, { blocks: 3 })
    const add = (n: number) => subject.client.canvas.create({ projectId: projects[n % 2]!.id, type: 'note' })
    const { succeeded, refusals } = await callConcurrently(add)
    expect(succeeded).toBe(3)
    expect(refusals[0]).toMatchObject(exceeded('blocks', 3, 3))
  })
})

describe('a full quota', () => {
  test('stops counting removed records immediately and never refuses a removal', async () => {
    const subject = await createOwner()
    const { client } = subject
    const { id: projectId } = await client.projects.create({ name: 'Full' })
    const block = await client.canvas.create({ projectId, type: 'note' })
    await allow(subject, { blocks: 1, history: 1, projects: 1, files: 1 })
    await expect(client.canvas.create({ projectId, type: 'note' })).rejects.toMatchObject({
      details: { quota: 'blocks' },
    })
    await client.canvas.remove({ projectId, blockId: block.id })
    await allow(subject, { history: null, files: null })
    await client.canvas.create({ projectId, type: 'note' })
    await client.projects.remove({ id: projectId })
    const { id } = await client.projects.create({ name: 'Next' })
    await expect(client.projects.undelete({ id: projectId })).rejects.toMatchObject(
      exceeded('projects', 1, 1),
    )
    await client.projects.remove({ id })
    await client.projects.undelete({ id: projectId })
  })

  test('allows a new invitation to replace one to the same email address', async () => {
    const subject = await createOwner()
    await allow(subject, { invites: 1 })
    const invite = (email: string) => subject.client.organization.invite({ email })
    await invite('ada@example.com')
    await invite('ada@example.com')
    await expect(invite('eve@example.com')).rejects.toMatchObject(exceeded('invites', 1, 1))
  })

  test('refuses a copy, a duplicate and a larger canvas as a whole', async () => {
    const subject = await createOwner()
    const { client } = subject
    const { id, folderId } = await client.projects.create({ name: 'Original' })
    await client.files.create({ source: 'folder', name: 'A', parentId: folderId })
    await client.canvas.create({ projectId: id, type: 'note' })
    await allow(subject, { files: 3 })
    await expect(client.projects.duplicate({ id })).rejects.toMatchObject({ details: { quota: 'files' } })
    await allow(subject, { files: null, blocks: 1 })
    await expect(client.projects.duplicate({ id })).rejects.toMatchObject({ details: { quota: 'blocks' } })
    expect((await client.projects.list({})).items).toHaveLength(1)
    expect(await stateOf(subject, 'files')).toMatchObject({ used: 2 })
  })
})

test('counters equal the rows after creations, failures, copies and removals', async () => {
  const subject = await createOwner()
  const { client, org } = subject
  const project = await client.projects.create({ name: 'Counted' })
  const { id: projectId } = project
  const folder = await client.files.create({ source: 'folder', name: 'A', parentId: project.folderId })
  await client.files.create({ name: 'a.txt', mimeType: 'text/plain', size: 12, parentId: project.folderId })
  const note = await client.canvas.create({ projectId, type: 'note', content: 'ü' })
  const other = await client.canvas.create({ projectId, type: 'note' })
  await client.canvas.connect({ projectId, fromBlockId: note.id, toBlockId: other.id })
  for (const content of ['one', 'two', 'three'])
    await client.canvas.update({ projectId, blockId: note.id, content })
  await client.canvas.move({ projectId, positions: [{ id: note.id, x: 1, y: 2 }] })
  await client.canvas.remove({ projectId, blockId: other.id })
  await expect(client.canvas.create({ projectId, type: 'note', id: note.id })).rejects.toThrow()
  await client.projects.duplicate({ id: projectId })
  const [gone, restored] = [
    await client.projects.create({ name: 'Gone' }),
    await client.projects.create({ name: 'Restored' }),
  ]
  for (const { id } of [gone, restored]) await client.projects.remove({ id })
  await client.projects.undelete({ id: restored.id })
  await client.files.copy({ id: 'file' in folder ? folder.file.id : folder.id })
  const hook = await client.webhooks.create({ name: 'Hook' })
  await client.webhooks.test({ webhookId: hook.id })
  await app.request('POST', new URL(hook.receiveUrl).pathname, { body: {} })
  await app.request('POST', new URL(hook.receiveUrl).pathname, {
    headers: { 'x-webhook-secret': hook.secret },
    body: { type: 'a' },
  })
  const [rows] = await app.sql`
    select (select count(*) from projects where org_id = ${org.id} and deleted_at is null) as projects,
      (select count(*) from files where org_id = ${org.id}) as files,
      (select sum(size) from files where org_id = ${org.id} and source = 'upload')::bigint as storage,
      (select count(*) from blocks where org_id = ${org.id}) as blocks,
      (select count(*) from edges where org_id = ${org.id}) as edges,
      (select sum(bytes) from canvas_changes where org_id = ${org.id}) as history,
      (select count(*) from events where org_id = ${org.id}) as events`
  const { items } = await client.quotas.list()
  for (const quota of ['projects', 'files', 'storage', 'blocks', 'history', 'events'] as const)
    expect([quota, items.find(({ name }) => name === quota)!.used]).toEqual([quota, rows![quota]])
  const [edges] = await app.sql`select sum(edge_count) as count from projects where org_id = ${org.id}`
  expect(edges!.count).toBe(rows!.edges)
  await app.sql`delete from deliveries where org_id = ${org.id}`
  await app.sql`delete from events where org_id = ${org.id}`
  expect((await stateOf(subject, 'events')).used).toBe(0)
})

describe('received event', () => {
  test('is not stored over the quota, and its sender gets retry-after', async () => {
    const subject = await createOwner()
    const hook = await subject.client.webhooks.create({ name: 'Hook' })
    const { used } = await stateOf(subject, 'events')
    await allow(subject, { events: used + 3 })
    const send = (n: number) =>
      app.request('POST', new URL(hook.receiveUrl).pathname, {
        headers: { 'x-webhook-secret': hook.secret },
        body: { type: 'order.paid', n },
      })
    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => send(n)))
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(3)
    const refused = responses.find(({ status }) => status === 429)!
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(refused.body.error).toMatchObject({
      code: 'RATE_LIMITED',
      details: { reason: 'quota_exceeded', quota: 'events', used: used + 3, allowed: used + 3 },
    })
    const stored =
      await app.sql`select from events where org_id = ${subject.org.id} and direction = 'inbound'`
    expect(stored).toHaveLength(3)
    expect(await stateOf(subject, 'events')).toMatchObject({ used: used + 3 })
  })
})

test("changed limits appear in the organization's audit log, and null restores the default", async () => {
  const subject = await createOwner()
  await allow(subject, { projects: 5 })
  await allow(subject, { projects: null })
  const { items } = await subject.client.organization.audit({ action: 'quota.changed' })
  expect(items.map(({ details }) => details)).toEqual([
    { quota: 'projects', from: '5', to: '1000' },
    { quota: 'projects', from: '1000', to: '5' },
  ])
  expect(items[0]!.actor).toMatchObject({ id: operator.person.id })
  expect(await stateOf(subject, 'projects')).toMatchObject({ allowed: 1000, isDefault: true })
  await expect(operator.client.quotas.update({ id: subject.org.id })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  await expect(operator.client.quotas.update({ id: operator.person.id, keys: 1 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
