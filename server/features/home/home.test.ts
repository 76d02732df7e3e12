import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import type { Person } from '../../testing/factories/factories.ts'
import { bearer, shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const HOUR_S = 3600

async function team() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada' })
  const member = await app.person(org, { name: 'Ben' })
  const viewer = await app.person(org, { name: 'Cy' })
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  const open = await app.project(owner, { name: 'Open plan' })
  const secret = await app.project(owner, { name: 'Secret plan', visibility: 'private' })
  const [ada, ben, cy] = [
    await app.withSession(owner),
    await app.withSession(member),
    await app.withSession(viewer),
  ]
  return { org, owner, member, viewer, open, secret, ada, ben, cy }
}

interface RunOptions {
  by: Person
  projectId: string
  status?: string
  title?: string
  sessionId?: string
  trigger?: string
}

async function insertRun({
  by,
  projectId,
  status = 'failed',
  title = 'Run',
  sessionId,
  trigger,
}: RunOptions) {
  const id = newId()
  const at = app.clock.now()
  const agent = app.sql`(select id from agents where org_id = ${by.orgId} order by id limit 1)`
  await app.sql`
    insert into runs (org_id, id, project_id, title, status, error, trigger, agent_id, agent_version, session_id, created_by,
      created_at, finished_at)
    values (${by.orgId}, ${id}, ${projectId}, ${title}, ${status}, ${status === 'failed' ? 'The provider refused' : null},
      ${trigger ?? 'api'}, ${agent}, 1, ${sessionId ?? null}, ${by.id}, ${at}, ${at})`
  return id
}

async function insertApproval(by: Person, projectId: string, kind: 'approval' | 'input', summary: string) {
  const [id, runId] = [newId(), await insertRun({ by, projectId, status: 'waiting' })]
  const agent = app.sql`(select id from agents where org_id = ${by.orgId} order by id limit 1)`
  await app.sql`
    insert into approvals (org_id, id, run_id, step, ordinal, project_id, agent_id, kind, tool, risk, input, summary,
      requested_at, expires_at)
    values (${by.orgId}, ${id}, ${runId}, 1, 1, ${projectId}, ${agent}, ${kind}, 'delete_file', 'delete', '{}', ${summary},
      ${app.clock.now()}, ${app.clock.now()})`
  return id
}

type Home = Awaited<ReturnType<Awaited<ReturnType<typeof team>>['ada']['home']['read']>>
const titlesOf = ({ attention }: Home) => attention.map(({ kind, title }) => `${kind} ${title}`)

test('home lists pending decisions and problems the caller can act on, each with a link', async () => {
  const { org, owner, member, open, secret, ada, ben, cy } = await team()
  const approval = await insertApproval(owner, open.id, 'approval', 'Deletes plan.md')
  await insertApproval(owner, secret.id, 'input', 'Which color?')
  const failed = await insertRun({ by: member, projectId: open.id, title: 'Weekly report' })
  await app.sql`
    insert into connections (org_id, id, user_id, connector_slug, status, status_reason, created_at, updated_at)
    values (${org.id}, ${newId()}, ${member.id}, 'slack', 'expired', 'The token was revoked', now(), now())`
  await app.sql`
    insert into webhooks (org_id, id, name, url, source, status, disabled_reason, secret_sealed, secret_hash, created_by, created_at,
      updated_at)
    values (${org.id}, ${newId()}, 'Orders', 'https://example.com', 'generic', 'disabled', 'It failed for five days', '', '',
      ${owner.id}, now(), now())`
  await ada.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '10', onReach: 'notify' })
  await app.sql`update spend set amount = 9 where org_id = ${org.id}`
  const block = await ada.canvas.create({ projectId: open.id, type: 'note', title: 'Plan' })
  await ada.comments.create({ target: `block:${block.id}`, projectId: open.id, body: `@[${member.id}] look` })

  const mine = await ben.home.read()
  expect(titlesOf(mine)).toEqual([
    'approval Deletes plan.md',
    'notification Ada mentioned you on “Plan”',
    'run Weekly report',
    'connection Slack',
    'budget The organization',
  ])
  expect(mine.attention.map(({ path }) => path)).toEqual([
    `/approvals/${approval}`,
    expect.stringContaining(`/projects/${open.id}?block=${block.id}`),
    `/runs/${failed}`,
    expect.stringMatching(/^\/integrations\//),
    '/settings/organization/usage',
  ])
  expect(mine).toMatchObject({ unreadCount: 1, health: null })
  expect(mine.attention[2]).toMatchObject({ detail: 'The provider refused', project: { name: 'Open plan' } })
  expect(mine.attention[4]!.detail).toBe('90% of this month’s budget is spent, $9.00 of $10.00')
  expect(titlesOf(await ada.home.read())).toEqual([
    'approval Deletes plan.md',
    'question Which color?',
    'webhook Orders',
    'budget The organization',
  ])
  expect(titlesOf(await cy.home.read())).toEqual(['budget The organization'])
  const stranger = await team()
  expect((await stranger.ada.home.read()).attention).toEqual([])
})

test('a failed run is unlisted once dismissed or replaced, and listed again when restored', async () => {
  const { member, open, ben } = await team()
  const sessionId = newId()
  const retried = await insertRun({ by: member, projectId: open.id, title: 'Retried', sessionId })
  const removed = await insertRun({ by: member, projectId: open.id, title: 'Removed' })
  expect(titlesOf(await ben.home.read())).toEqual(['run Removed', 'run Retried'])
  await insertRun({ by: member, projectId: open.id, status: 'succeeded', sessionId })
  await ben.home.dismiss({ key: `run:${removed}` })
  expect((await ben.home.read()).attention).toEqual([])
  await ben.home.dismiss({ key: `run:${removed}`, dismissed: false })
  expect(titlesOf(await ben.home.read())).toEqual(['run Removed'])
  await expect(ben.home.dismiss({ key: `approval:${retried}` })).rejects.toMatchObject({
    details: [{ path: 'body.key', message: 'must be an entry key with `dismissible`' }],
  })
  for (let count = 0; count < 7; count++) await insertRun({ by: member, projectId: open.id })
  const many = await ben.home.read()
  expect([many.attention.length, many.more]).toEqual([5, ['run']])
  app.clock.advance(4 * 24 * HOUR_S)
  expect((await ben.home.read()).attention).toEqual([])
  app.clock.reset()
})

test("news lists others' changes in the member's projects since the last visit, and can be cleared", async () => {
  const { owner, member, open, secret, ada, ben } = await team()
  await ben.search.opened({ type: 'project', id: open.id })
  await ben.search.opened({ type: 'project', id: secret.id })
  await ben.home.seen({})
  app.clock.advance(4 * HOUR_S)
  const block = await ada.canvas.create({ projectId: open.id, type: 'note', title: 'Goal' })
  await ben.canvas.create({ projectId: open.id, type: 'note', title: 'Mine' })
  await ada.comments.create({
    target: `block:${block.id}`,
    projectId: open.id,
    body: `Hello @[${member.id}]`,
  })
  for (const title of ['First', 'Second'])
    await insertRun({ by: owner, projectId: open.id, status: 'succeeded', title })
  await insertRun({ by: member, projectId: open.id, status: 'succeeded', trigger: 'message' })
  await ada.canvas.create({ projectId: secret.id, type: 'note', title: 'Hidden' })

  const { news, projects } = await ben.home.read()
  expect(projects.map(({ name }) => name)).toEqual(['Open plan'])
  expect(news.map(({ kind, count, people, title }) => [kind, count, people, title]).toSorted()).toEqual([
    ['canvas', 1, ['Ada'], null],
    ['comments', 1, ['Ada'], 'Hello @Ben'],
    ['runs', 2, [], 'Second'],
  ])
  // The same visit: opening the page again does not end the news.
  await ben.home.seen({})
  app.clock.advance(120)
  await ben.home.seen({})
  expect((await ben.home.read()).news).toHaveLength(3)
  await ben.home.seen({ clear: true })
  expect((await ben.home.read()).news).toEqual([])
  app.clock.reset()
})

test('a first visit has no predecessor, and its news starts when the member joined', async () => {
  const { org, owner, open, ada } = await team()
  await insertRun({ by: owner, projectId: open.id, status: 'succeeded', title: 'Before' })
  app.clock.advance(60)
  const person = await app.person(org, { name: 'Cleo' })
  const cleo = await app.withSession(person)
  const [membership] = await app.sql<{ joinedAt: string }[]>`
    select created_at as "joinedAt" from memberships where org_id = ${org.id} and user_id = ${person.id}`
  const { joinedAt } = membership!
  await cleo.search.opened({ type: 'project', id: open.id })
  app.clock.advance(60)
  await insertRun({ by: owner, projectId: open.id, status: 'succeeded', title: 'After' })
  const first = await cleo.home.read()
  expect(first).toMatchObject({ lastVisitAt: null, newsSince: joinedAt })
  expect(first.news.map(({ title }) => title)).toEqual(['After'])
  await cleo.home.seen({})
  app.clock.advance(HOUR_S)
  expect(await cleo.home.read()).toMatchObject({ lastVisitAt: null, newsSince: joinedAt })
  await cleo.home.seen({})
  const [state] = await app.sql<{ seenAt: string }[]>`
    select seen_at as "seenAt" from home_states where org_id = ${org.id} and user_id = ${person.id}`
  const leftAt = state!.seenAt
  app.clock.advance(4 * HOUR_S)
  expect(await cleo.home.read()).toMatchObject({ lastVisitAt: leftAt, newsSince: leftAt })
  await cleo.home.seen({})
  expect(await cleo.home.read()).toMatchObject({ lastVisitAt: leftAt, newsSince: leftAt })
  await cleo.home.seen({ clear: true })
  expect((await cleo.home.read()).lastVisitAt).toBeNull()
  expect((await ada.home.read()).lastVisitAt).toBeNull()
  app.clock.reset()
})

test('a visit is written at most once a minute', async () => {
  const { member, ben } = await team()
  const versions = async () =>
    (await app.sql`select ctid::text from home_states where user_id = ${member.id}`).map(({ ctid }) => ctid)
  await ben.home.seen({})
  const before = await versions()
  await ben.home.seen({})
  expect(await versions()).toEqual(before)
  app.clock.advance(61)
  await ben.home.seen({})
  expect(await versions()).not.toEqual(before)
  app.clock.reset()
})

test('first steps and the tour are remembered per member, and usage covers two weeks', async () => {
  const { ada, ben, owner, member } = await team()
  expect((await ada.home.read()).firstSteps).toMatchObject({
    project: true,
    chat: false,
    key: false,
    hidden: false,
  })
  expect((await ben.home.read()).tour).toEqual({ step: null, ended: false })
  await ben.home.update({ tour: { step: 'agent', ended: false } })
  await ben.home.update({ hidesFirstSteps: true })
  const { tour, firstSteps, usage } = await ben.home.read()
  expect([tour, firstSteps.hidden]).toEqual([{ step: 'agent', ended: false }, true])
  expect([usage.days.length, usage.isOwn, usage.days.at(-1)!.day]).toEqual([14, true, usage.to])
  expect((await ada.home.read()).tour.step).toBeNull()
  const key = await app.key(member)
  expect((await app.as(bearer(key)).home.read()).firstSteps).toMatchObject({ key: true })
  await expect(app.as(bearer(await app.key(owner))).home.update({})).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})

test("operators see the installation's state in a browser but not with a key", async () => {
  const { person, client } = await app.operator()
  const { health } = await client.home.read()
  expect(health).toMatchObject({
    mail: { configured: false },
    storage: { available: true },
    jobs: { dead: expect.any(Number), lagSeconds: expect.any(Number) },
  })
  expect(health!.disk!.freeBytes).toBeGreaterThan(0)
  expect((await app.as(bearer(await app.key(person))).home.read()).health).toBeNull()
})

test('counts cover what the caller can decide and see, and nothing from other organizations', async () => {
  const { org, owner, member, open, secret, ada, ben, cy } = await team()
  const none = { inbox: 0, unread: 0, decisions: 0, live: 0, memory: 0, budgets: 0, phone: false }
  expect(await ada.home.counts()).toEqual(none)
  await insertApproval(owner, open.id, 'approval', 'Deletes plan.md')
  await insertApproval(owner, secret.id, 'input', 'Which color?')
  await app.sql`
    insert into connections (org_id, id, user_id, connector_slug, status, status_reason, created_at, updated_at)
    values (${org.id}, ${newId()}, ${member.id}, 'slack', 'expired', 'The token was revoked', now(), now())`
  await insertRun({ by: owner, projectId: open.id, status: 'running' })
  await insertRun({ by: owner, projectId: secret.id, status: 'queued' })
  const retrying = await insertRun({ by: owner, projectId: open.id, status: 'waiting' })
  await app.sql`update runs set wait = '{"for": "retry"}' where org_id = ${org.id} and id = ${retrying}`
  await insertRun({ by: owner, projectId: open.id, status: 'succeeded' })
  const block = await ada.canvas.create({ projectId: open.id, type: 'note', title: 'Plan' })
  await ada.comments.create({ target: `block:${block.id}`, projectId: open.id, body: `@[${member.id}] look` })
  const at = app.clock.now()
  for (const projectId of [open.id, secret.id])
    await app.sql`
      insert into memories (org_id, id, project_id, key, content, tags, status, source, run_id, created_at, updated_at)
      values (${org.id}, ${newId()}, ${projectId}, 'tone', 'Friendly', '{}', 'proposed', 'run', ${retrying}, ${at}, ${at})`
  await ada.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '10', onReach: 'pause' })
  await app.sql`update spend set amount = 10 where org_id = ${org.id}`
  expect(await ada.home.counts()).toEqual({ ...none, inbox: 2, decisions: 2, live: 3, memory: 2, budgets: 1 })
  expect(await ben.home.counts()).toEqual({
    ...none,
    inbox: 3,
    unread: 1,
    decisions: 2,
    live: 2,
    memory: 1,
    budgets: 1,
  })
  // Viewers see the run and the budget, but decide nothing.
  expect(await cy.home.counts()).toEqual({ ...none, live: 2, budgets: 1 })
  const stranger = await team()
  expect(await stranger.ada.home.counts()).toEqual(none)
})

test('the inbox counts a decision once, whether or not the caller was also notified of it', async () => {
  const { org, owner, member, open, ada, ben } = await team()
  const notified = async ({ id }: Person, fields: { kind: string; path: string; connectionId?: string }) => {
    const { kind, path, connectionId = null } = fields
    await app.sql`
      insert into notifications (org_id, user_id, id, kind, key, title, path, connection_id, created_at)
      values (${org.id}, ${id}, ${newId()}, ${kind}, ${newId()}, 'Something waits', ${path}, ${connectionId}, ${app.clock.now()})`
  }
  const approval = await insertApproval(owner, open.id, 'approval', 'Deletes plan.md')
  await notified(owner, { kind: 'approval', path: `/approvals/${approval}` })
  expect(await ada.home.counts()).toMatchObject({ inbox: 1, unread: 1, decisions: 1 })
  expect(await ben.home.counts()).toMatchObject({ inbox: 1, unread: 0, decisions: 1 })
  const connection = newId()
  await app.sql`
    insert into connections (org_id, id, user_id, connector_slug, status, shared, created_at, updated_at)
    values (${org.id}, ${connection}, ${owner.id}, 'slack', 'expired', 'org', now(), now())`
  for (const person of [owner, member])
    await notified(person, {
      kind: 'connection',
      path: `/integrations/${connection}`,
      connectionId: connection,
    })
  expect(await ada.home.counts()).toMatchObject({ inbox: 2, unread: 2, decisions: 2 })
  // Only the owner can authorize it: for others, it is news.
  expect(await ben.home.counts()).toMatchObject({ inbox: 2, unread: 1, decisions: 1 })
  await app.sql`update approvals set decision = 'approved', decided_at = now() where org_id = ${org.id}`
  expect(await ada.home.counts()).toMatchObject({ inbox: 1, unread: 2, decisions: 1 })
})
