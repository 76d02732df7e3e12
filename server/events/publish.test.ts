import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PUBLISHED_EVENT_TYPES } from '../../contract/webhooks/event-types.ts'
import { type Actor, createActor } from '../testing/clients/actor.ts'
import { ACTS } from '../testing/clients/event-scenarios.ts'
import { createStoredFile } from '../testing/clients/file-client.ts'
import { buildHooksApp, type HooksApp } from '../testing/clients/webhook-app.ts'
import { createManifest, manifestBlock } from '../testing/factories/manifests.ts'

let app: HooksApp
let ada: Actor
beforeAll(async () => {
  app = await buildHooksApp()
  await app.app.startWorker()
  ada = await createActor(app)
  await ada.client.webhooks.create({ name: 'All', url: app.receiver.url })
  await ada.client.webhooks.create({ name: 'Others', url: app.receiver.url, events: ['billing.*'] })
  for (const { name, example } of (await ada.client.webhooks.eventTypes()).items) {
    examples.set(name, Object.keys(example as object).toSorted())
  }
  await app.sql`create table forbidding (is_on boolean)`
  await app.sql`insert into forbidding values (false)`
  await app.sql`create function forbid() returns trigger language plpgsql as $$
    begin
      if (select is_on from forbidding) then raise exception 'no events today'; end if;
      return new;
    end $$`
  await app.sql`create trigger forbid before insert on events for each row execute function forbid()`
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})

const logOf = async ({ client }: Actor) => (await client.webhooks.events({ limit: 100 })).items

/** What is new in the log after an act. */
async function toldBy(by: Actor, act: () => Promise<unknown>) {
  const known = new Set((await logOf(by)).map(({ id }) => id))
  await act()
  return (await logOf(by)).filter(({ id }) => !known.has(id))
}

/** Does something while no event can be written. */
async function withoutEvents(act: () => Promise<unknown>): Promise<unknown> {
  await app.sql`update forbidding set is_on = true`
  try {
    return await act()
  } finally {
    await app.sql`update forbidding set is_on = false`
  }
}

const CHANGED_BY_ACTS =
  'projects project_workspaces project_shares blocks canvas_changes snapshots runs files folders feedback feedback_comments api_keys'

const everything = () =>
  app.sql.unsafe(
    CHANGED_BY_ACTS.split(' ')
      .map((table) => `select '${table}', md5(string_agg(t::text, '' order by t::text)) from ${table} t`)
      .join(' union all '),
  )

/** The fields of the documented examples, until they were compared with the real ones. */
const examples = new Map<string, string[]>()

describe.each(ACTS)('%s', (_name, { types, prepare }) => {
  test(`is told once, as ${types.join(' and ')}, or does not happen`, async () => {
    const act = await prepare(ada)
    const before = await everything()
    await expect(withoutEvents(act)).rejects.toThrow()
    expect(await everything()).toEqual(before)

    const events = await toldBy(ada, act)
    expect(events.map(({ type }) => type).toSorted()).toEqual(types.toSorted())
    for (const { type, direction, source, payload } of events) {
      expect([direction, source]).toEqual(['internal', 'atrium'])
      const isOwn = (field: string) => field !== 'test'
      // One act of each type is what the example shows; others may have more to tell, or less.
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

test('what was told is delivered, once, to who wants to hear it', async () => {
  const told = (
    await app.sql`select id, type, payload from events where org_id = ${ada.org.id} order by id`
  ).filter(({ type }) => type !== 'webhook.test')
  await expect.poll(() => app.receiver.caught.length).toBe(told.length)
  const arrived = app.receiver.caught.map(({ body }) => JSON.parse(body))
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  expect(arrived.map(({ id, type, data }) => ({ id, type, payload: data })).toSorted(byId)).toEqual([...told])
})

test('an address that is gone is told as webhook.disabled', async () => {
  const bob = await createActor(app)
  app.receiver.answer((_caught, response) => response.writeHead(410).end())
  const { id: webhookId } = await bob.client.webhooks.create({ name: 'Gone', url: app.receiver.url })
  await bob.client.webhooks.test({ webhookId })
  await expect
    .poll(async () => (await logOf(bob)).map(({ type }) => type))
    .toEqual(['webhook.disabled', 'webhook.test'])
  app.receiver.answer((_caught, response) => response.end())
})

test('nothing is named in the log, which is for all: neither projects nor files nor keys', async () => {
  const eve = await createActor(app)
  const names = [
    'renaming a project, its folder with it',
    'making a share link',
    'adding a task',
    'beginning a run',
  ]
  for (const [, { prepare }] of ACTS.filter(([name]) => names.includes(name) || /duplicat|key/.test(name))) {
    await (await prepare(eve))()
  }
  const { folderId } = await eve.project()
  const { id } = await createStoredFile(app, eve.person, { parentId: folderId })
  await eve.client.files.update({ id, name: 'Landing.txt' })
  await eve.client.files.remove({ id })
  const log = await logOf(eve)
  expect(log.length).toBeGreaterThan(8)
  expect(JSON.stringify(log)).not.toMatch(/Launch|Landing|notes\.txt|"c[id]"/)
})

/** Refused by what is asked for, by its state, and by who asks. */
const REFUSED: Record<string, (by: Actor) => Promise<unknown>> = {
  'a name that is too long': async ({ client, project }) =>
    client.projects.update({ id: (await project()).id, name: 'x'.repeat(256) }),
  'a version that is not the latest': async ({ client, file }) =>
    client.files.update({ id: (await file()).id, name: 'x' }, { ifMatch: '"r99"' }),
  'a protected folder': async ({ client, project }) =>
    client.files.update({ id: (await project()).folderId, name: 'x' }),
  'a share link until yesterday': async ({ client, project }) =>
    client.sharing.share({ projectId: (await project()).id, expiresAt: '2020-01-01T00:00:00Z' }),
  'a share link that is not there': async ({ client, project }) =>
    client.sharing.unshare({ projectId: (await project()).id }),
  'one block of many that is not there': async ({ app, client, project }) => {
    const { id: projectId } = await project()
    const { id } = (await app.sql`select gen_random_uuid() as id`)[0]!
    await client.canvas.change({
      projectId,
      create: { blocks: [{ type: 'task' }] },
      delete: { blocks: [id] },
    })
  },
  'a manifest that was tampered with': async ({ client, project }) =>
    client.projectExport.restore({
      projectId: (await project()).id,
      ...createManifest(),
      blocks: [manifestBlock()],
    }),
  'what is somebody else’s': async ({ client, app }) => {
    const { id } = await (await createActor(app)).project()
    await client.projects.remove({ id })
  },
  'a key that is not there': ({ client, person }) => client.apiKeys.revoke({ id: person.id }),
  'purging what is not in the trash': async ({ client, file }) =>
    client.files.remove({ id: (await file()).id, permanent: 'true' }),
}

test.each(Object.entries(REFUSED))('nothing is told of what is refused: %s', async (_name, act) => {
  expect(await toldBy(ada, () => expect(act(ada)).rejects.toThrow())).toEqual([])
})

test('every offered event type is published by a scenario', () => {
  const published = new Set<string>([...ACTS.flatMap(([, { types }]) => types), 'webhook.disabled'])
  expect(PUBLISHED_EVENT_TYPES.filter((name) => !published.has(name))).toEqual([])
})
