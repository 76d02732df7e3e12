import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PUBLISHED_EVENT_TYPES } from '../../contract/webhooks/event-types.ts'
import { detached } from '../concurrency/work-scope.ts'
import { flushNotifications, inTransaction } from '../database/transaction.ts'
import { newId } from '../security/ids.ts'
import { type Actor, createActor } from '../testing/clients/actor.ts'
import { script } from '../testing/clients/agent-runs.ts'
import { EVENT_SCENARIOS } from '../testing/clients/event-scenarios.ts'
import { createStoredFile } from '../testing/clients/file-client.ts'
import { buildWebhookApp, type WebhookApp } from '../testing/clients/webhook-app.ts'
import { createManifest, manifestBlock } from '../testing/factories/manifests.ts'
import { EVENTS_CHANNEL, publishIn } from './publish.ts'

let app: WebhookApp
let ada: Actor
beforeAll(async () => {
  app = await buildWebhookApp()
  await app.app.startWorker()
  ada = await createActor(app)
  await ada.client.webhooks.create({ name: 'All', url: app.receiver.url })
  await ada.client.webhooks.create({ name: 'Others', url: app.receiver.url, events: ['billing.*'] })
  for (const { name, example } of (await ada.client.webhooks.eventTypes()).items) {
    examples.set(name, Object.keys(example as object).toSorted())
  }
  await app.sql`create table rejection (is_on boolean)`
  await app.sql`insert into rejection values (false)`
  await app.sql`create function reject_event() returns trigger language plpgsql as $$
    begin
      if (select is_on from rejection) then raise exception 'events are rejected'; end if;
      return new;
    end $$`
  await app.sql`create trigger reject_event before insert on events for each row execute function reject_event()`
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.sql`delete from rate_limits`
  // A job empties purged projects after the event: its writes must not fall between two checksums.
  await expect.poll(countToEmpty).toBe(0)
})

const countToEmpty = async () =>
  (await app.sql`select from projects where purged_at is not null and emptied_at is null`).length

const logOf = async ({ client }: Actor) => (await client.webhooks.events({ limit: 100 })).items

/** The events that an action adds to the log. */
async function eventsPublishedBy(actor: Actor, action: () => Promise<unknown>) {
  const before = new Set((await logOf(actor)).map(({ id }) => id))
  await action()
  return (await logOf(actor)).filter(({ id }) => !before.has(id))
}

/** Runs an action while no event can be inserted. */
async function withEventsRejected(action: () => Promise<unknown>): Promise<unknown> {
  await app.sql`update rejection set is_on = true`
  try {
    return await action()
  } finally {
    await app.sql`update rejection set is_on = false`
  }
}

const CHANGED_TABLES =
  'projects project_workspaces project_shares blocks canvas_changes snapshots runs files folders feedback feedback_comments comments api_keys'

const checksums = () =>
  app.sql.unsafe(
    CHANGED_TABLES.split(' ')
      .map((table) => `select '${table}', md5(string_agg(t::text, '' order by t::text)) from ${table} t`)
      .join(' union all '),
  )

/** The fields of the documented examples that are not yet compared with a published event. */
const examples = new Map<string, string[]>()

describe.each(EVENT_SCENARIOS)('publish: %s', (_name, { types, prepare }) => {
  test(`publishes ${types.join(' and ')} once, or changes nothing`, async () => {
    const action = await prepare(ada)
    const before = await checksums()
    await expect(withEventsRejected(action)).rejects.toThrow()
    expect(await checksums()).toEqual(before)

    const events = await eventsPublishedBy(ada, action)
    expect(events.map(({ type }) => type).toSorted()).toEqual(types.toSorted())
    for (const { type, direction, source, payload } of events) {
      expect([direction, source]).toEqual(['internal', 'atrium'])
      const isOwn = (field: string) => field !== 'test'
      // The first event of each type has the fields of the example; later ones may have others.
      const example = examples.get(type)
      if (example)
        expect(
          Object.keys(payload as object)
            .filter(isOwn)
            .toSorted(),
        ).toEqual(example)
      examples.delete(type)
    }
  })
})

test('published events are delivered once to the subscribed webhook', async () => {
  const published = (
    await app.sql`select id, type, payload from events where org_id = ${ada.org.id} order by id`
  ).filter(({ type }) => type !== 'webhook.test')
  await expect.poll(() => app.receiver.requests.length).toBe(published.length)
  const received = app.receiver.requests.map(({ body }) => JSON.parse(body))
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  expect(received.map(({ id, type, data }) => ({ id, type, payload: data })).toSorted(byId)).toEqual([
    ...published,
  ])
})

test('a webhook whose endpoint responds 410 publishes webhook.disabled', async () => {
  const bob = await createActor(app)
  app.receiver.answer((_caught, response) => response.writeHead(410).end())
  const { id: webhookId } = await bob.client.webhooks.create({ name: 'Gone', url: app.receiver.url })
  await bob.client.webhooks.test({ webhookId })
  await expect
    .poll(async () => (await logOf(bob)).map(({ type }) => type))
    .toEqual(['webhook.disabled', 'webhook.test'])
  app.receiver.answer((_caught, response) => response.end())
})

test('events contain no project, file or key names, since every member reads the log', async () => {
  const eve = await createActor(app)
  const names = [
    'renaming a project and its folder',
    'creating a share link',
    'adding a task',
    'starting a run',
  ]
  for (const [, { prepare }] of EVENT_SCENARIOS.filter(
    ([name]) => names.includes(name) || /duplicat|key/.test(name),
  )) {
    await (await prepare(eve))()
  }
  const { folderId } = await eve.project()
  const { id } = await createStoredFile(app, eve.person, { parentId: folderId })
  await eve.client.files.update({ id, name: 'Landing.txt' })
  await eve.client.files.remove({ id })
  const log = await logOf(eve)
  expect(log.length).toBeGreaterThan(8)
  // The log adds names for the reader, as far as the reader may see them.
  const published = log.map(({ actor: _actor, subject: _subject, ...event }) => event)
  expect(JSON.stringify(published)).not.toMatch(/Launch|Landing|notes\.txt|"c[id]"/)
})

/** Actions that are refused: for their input, for the state of the record, or for the caller. */
const REFUSALS: Record<string, (actor: Actor) => Promise<unknown>> = {
  'a name that is too long': async ({ client, project }) =>
    client.projects.update({ id: (await project()).id, name: 'x'.repeat(256) }),
  'an outdated version': async ({ client, file }) =>
    client.files.update({ id: (await file()).id, name: 'x' }, { ifMatch: '"r99"' }),
  'a protected folder': async ({ client, project }) =>
    client.files.update({ id: (await project()).folderId, name: 'x' }),
  'a share link with an expiry in the past': async ({ client, project }) =>
    client.sharing.share({ projectId: (await project()).id, expiresAt: '2020-01-01T00:00:00Z' }),
  'a share link that does not exist': async ({ client, project }) =>
    client.sharing.unshare({ projectId: (await project()).id }),
  'a batch with a block that does not exist': async ({ app, client, project }) => {
    const { id: projectId } = await project()
    const { id } = (await app.sql`select gen_random_uuid() as id`)[0]!
    await client.canvas.change({
      projectId,
      create: { blocks: [{ type: 'task' }] },
      delete: { blocks: [id] },
    })
  },
  'a manifest with a wrong checksum': async ({ client, project }) =>
    client.projectExport.restore({
      projectId: (await project()).id,
      ...createManifest(),
      blocks: [manifestBlock()],
    }),
  'a project of another organization': async ({ client, app }) => {
    const { id } = await (await createActor(app)).project()
    await client.projects.remove({ id })
  },
  'a key that does not exist': ({ client, person }) => client.apiKeys.revoke({ id: person.id }),
  'purging a file that is not in the trash': async ({ client, file }) =>
    client.files.remove({ id: (await file()).id, permanent: 'true' }),
}

test.each(Object.entries(REFUSALS))('a refused action publishes nothing: %s', async (_name, action) => {
  expect(await eventsPublishedBy(ada, () => expect(action(ada)).rejects.toThrow())).toEqual([])
})

test('a run that asks a member publishes its message, states and decision', async () => {
  const bob = await createActor(app)
  const { id: agentId } = await bob.client.agents.create({ name: 'Asker', model: 'test/script' })
  const question = script('call ask_person {"question": "Which one?"}', '---', 'say Thanks')
  const session = { projectId: (await bob.project()).id, agentId, message: { content: question } }
  const { id } = await bob.client.sessions.create(session)
  const types = async () => (await logOf(bob)).map(({ type }) => type)
  await expect.poll(types).toContain('agent.run.waiting')
  await bob.client.sessions.send({ id, content: 'The second' })
  await expect.poll(types).toContain('agent.run.completed')
  expect(await types()).toEqual(expect.arrayContaining(RUN_EVENT_TYPES))
})

const RUN_EVENT_TYPES = [
  'session.message.created',
  'agent.run.waiting',
  'agent.approval.requested',
  'agent.approval.decided',
]

test('every offered event type is published by a scenario', () => {
  const published = new Set<string>([
    ...EVENT_SCENARIOS.flatMap(([, { types }]) => types),
    ...RUN_EVENT_TYPES,
    'webhook.disabled',
    // By endpoints that fall behind: server/features/webhooks/deliver/backlog.test.ts.
    'webhook.paused',
    // By runs that are not trusted: test/attacks/memory.test.ts.
    'memory.proposed',
    // By runs with a budget: server/features/agents/runs/usage/run-budgets.test.ts.
    'billing.budget.warning',
    'billing.budget.reached',
    // By connections, some with a provider: server/features/connections/connections.
    ...PUBLISHED_EVENT_TYPES.filter((name) => name.startsWith('connection.')),
    // By payments through a provider: test/conformance/payments/stripe.conformance.test.ts.
    ...PUBLISHED_EVENT_TYPES.filter((name) => name.startsWith('billing.payment.')),
    // By operators and owners: server/features/{operated-organizations,organization-exports,erasures}.
    ...PUBLISHED_EVENT_TYPES.filter((name) =>
      /^organization[.](suspended|resumed|exported|erasure)/.test(name),
    ),
    // By syncs of sources outside: server/features/knowledge/sources.
    ...PUBLISHED_EVENT_TYPES.filter((name) => name.startsWith('source.')),
    // By calls and text messages through a carrier: server/features/telephony.
    ...PUBLISHED_EVENT_TYPES.filter((name) => /^(call|sms)[.]/.test(name)),
  ])
  expect(PUBLISHED_EVENT_TYPES.filter((name) => !published.has(name))).toEqual([])
})

describe('publish with event streams', () => {
  let organizations: string[]
  let subscription: Awaited<ReturnType<typeof app.sql.listen>>
  beforeAll(async () => {
    subscription = await app.sql.listen(EVENTS_CHANNEL, (orgId) => organizations.push(orgId))
  })
  afterAll(() => subscription.unlisten())
  beforeEach(() => {
    organizations = []
  })

  const event = { type: 'key.created', data: {} } as const
  /** NOTIFY messages arrive in order: when this one is received, earlier ones are too. */
  async function notifiedOrganizations(): Promise<string[]> {
    await flushNotifications(app.sql)
    const marker = newId()
    await app.sql`select pg_notify(${EVENTS_CHANNEL}, ${marker})`
    await expect.poll(() => organizations.includes(marker)).toBe(true)
    return organizations.filter((orgId) => orgId !== marker)
  }

  test('notifies after the commit, not before', async () => {
    const { org } = await app.createOwner()
    await inTransaction(app.sql, async (sql) => {
      await publishIn(sql, org.id, app.clock.now(), event)
      expect(await detached(notifiedOrganizations)).not.toContain(org.id)
    })
    expect(await notifiedOrganizations()).toContain(org.id)
  })

  test('notifies nothing when the transaction is rolled back', async () => {
    const { org } = await app.createOwner()
    const failing = inTransaction(app.sql, async (sql) => {
      await publishIn(sql, org.id, app.clock.now(), event)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await notifiedOrganizations()).not.toContain(org.id)
    expect(await app.sql`select from events where org_id = ${org.id}`).toEqual([])
  })

  test('notifies after a single statement without a transaction', async () => {
    const { org } = await app.createOwner()
    await publishIn(app.sql, org.id, app.clock.now(), event)
    expect(await notifiedOrganizations()).toContain(org.id)
  })

  test('notifies every organization when many publish at once', async () => {
    const owners = await Promise.all(Array.from({ length: 30 }, () => app.createOwner()))
    const orgIds = owners.map(({ org }) => org.id)
    await Promise.all(
      orgIds.flatMap((orgId) => [
        publishIn(app.sql, orgId, app.clock.now(), event),
        inTransaction(app.sql, (sql) => publishIn(sql, orgId, app.clock.now(), event)),
      ]),
    )
    expect([...new Set(await notifiedOrganizations())]).toEqual(expect.arrayContaining(orgIds))
    const [row] = await app.sql`select count(*) from events where org_id = any(${orgIds}::uuid[])`
    expect(row!.count).toBe(60)
  })
})
