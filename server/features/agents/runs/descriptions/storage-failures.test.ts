import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { createPng } from '../../../../testing/factories/pictures.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { compatibleStream } from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { startS3Server } from '../../../../testing/fakes/s3-server.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const LIST = {
  data: [
    { id: 'sees', architecture: { input_modalities: ['text', 'image'] } },
    { id: 'reads', architecture: { input_modalities: ['text'] } },
  ],
}

let app: TestApp
let bucket: Awaited<ReturnType<typeof startS3Server>>
let server: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  server = await startReceiver(({ body }, response) => {
    if (!body) return response.end(JSON.stringify(LIST))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.end(compatibleStream({ text: body.includes('"tools"') ? 'Done' : 'A red harbor' }))
  })
  bucket = await startS3Server()
  app = await buildTestApp({
    env: { ...bucket.env, ATRIUM_PROVIDER_ACME_URL: server.url },
    app: { storageDeadlines: { shortMs: 1000, sendMs: 1000, copyMs: 1000, pauseMs: 2000 } },
  })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await Promise.all([bucket.close(), server.close()])
})
afterEach(async () => {
  bucket.refuse(null)
  bucket.hang(false)
  server.requests.length = 0
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
})

const FAILURES = [
  ['hangs', () => bucket.hang(true)],
  [
    'is full',
    () => bucket.refuse(({ method }) => method === 'PUT', { status: 507, code: 'InsufficientStorage' }),
  ],
] as const

async function createMember(model: string) {
  const chat = await createChatClient(app, { model, tools: { files: true } })
  await app.sql`update memberships set role = 'owner' where user_id = ${chat.person.id}`
  await chat.client.orgSettings.update({ visionModel: 'acme/sees' })
  const headers = bearer(await app.key(chat.person, ['files:write']))
  return {
    ...chat,
    async upload(name: string, bytes: Uint8Array | string) {
      const { body } = await upload(app, headers, bytes, {
        name,
        fields: { parentId: chat.project.folderId! },
      })
      return body.data.id as string
    },
    async ask(fileIds: string[]) {
      server.requests.length = 0
      const message = { content: 'What is this?', fileIds }
      const session = await chat.client.sessions.create({
        ...{ projectId: chat.project.id, agentId: chat.agent.id, message },
      })
      const run = await chat.waitForEnd(session.run!.id)
      const bodies = server.requests.map(({ body }) => body)
      return { run, sent: bodies.find((body) => body.includes('"tools"'))! }
    },
  }
}

let width = 40
const nextPng = () => createPng({ width: ++width, height: 20, colorAt: (x) => [x, 0, 0] })

test.each(
  FAILURES.flatMap(([how, fail]) => ['acme/reads', 'acme/sees'].map((model) => [how, model, fail] as const)),
)('a bucket that %s leaves a run of %s without its image, which it sees later', async (_how, model, fail) => {
  const member = await createMember(model)
  const other = await createMember(model)
  const id = await member.upload('harbor.png', nextPng())
  fail()
  const { run, sent } = await member.ask([id])
  expect(run).toMatchObject({ status: 'succeeded' })
  expect(sent).toContain('[image, not shown: ')
  expect((await other.ask([])).run).toMatchObject({ status: 'succeeded' })
  expect(await app.sql`select from image_descriptions where org_id = ${member.org.id}`).toEqual([])
  expect(await app.sql`select from reservations where org_id = ${member.org.id}`).toEqual([])
  bucket.refuse(null)
  bucket.hang(false)
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
  const later = await member.ask([id])
  expect(later.run).toMatchObject({ status: 'succeeded' })
  expect(later.sent).not.toContain('not shown')
  expect(later.sent).toContain(model === 'acme/sees' ? 'image_url' : 'A red harbor')
})

test('a hanging bucket leaves a run without its attached document, which a later one reads', async () => {
  const member = await createMember('acme/reads')
  const id = await member.upload('harbor.txt', 'The harbor opens at nine.')
  bucket.hang(true)
  const { run, sent } = await member.ask([id])
  expect(run).toMatchObject({ status: 'succeeded' })
  expect(sent).toContain('[Attached file')
  expect(sent).not.toContain('opens at nine')
  bucket.hang(false)
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
  expect((await member.ask([id])).sent).toContain('opens at nine')
})

test('files that were uploaded before the bucket hangs are indexed afterwards, however long it takes', async () => {
  const member = await createMember('acme/reads')
  const states = (id: string) =>
    app.sql<{ attempts: number; isDue: boolean }[]>`
      select text_attempts as attempts, text_due_at is not null as "isDue" from search_entries where id = ${id}`
  // Before the worker reads it.
  await app.sql`
    create function wait_for_bucket() returns trigger language plpgsql as $$
    begin new.text_due_at = new.text_due_at + interval '1 hour'; return new; end $$`
  await app.sql`
    create trigger wait_for_bucket before insert on search_entries for each row execute function wait_for_bucket()`
  const id = await member.upload('harbor.txt', 'The harbor opens at nine.')
  await app.sql`drop trigger wait_for_bucket on search_entries`
  bucket.hang(true)
  const makeDue = () =>
    app.sql`update search_entries set text_due_at = now() - interval '1 hour' where id = ${id}`
  for (let attempt = 0; attempt < 4; attempt++) {
    await makeDue()
    await expect
      .poll(
        async () => {
          const [row] =
            await app.sql`select text_due_at > now() as later from search_entries where id = ${id}`
          return row!.later
        },
        { timeout: 15_000 },
      )
      .toBe(true)
    await expect.poll(() => states(id), { timeout: 15_000 }).toEqual([{ attempts: 0, isDue: true }])
  }
  expect(await app.sql`select from passages where org_id = ${member.org.id}`).toEqual([])
  const headers = bearer(await app.key(member.person, ['files:read']))
  const file = async () => (await app.request('GET', `/api/v1/files/${id}`, { headers })).body.data.knowledge
  expect(await file()).toMatchObject({ state: 'waiting' })
  bucket.hang(false)
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
  await makeDue()
  await expect.poll(file, { timeout: 15_000 }).toMatchObject({ state: 'ready', passages: 1 })
})

test('notes are indexed after the database’s disk was full, however long, and other organizations’ meanwhile', async () => {
  const [member, other] = [await createMember('acme/reads'), await createMember('acme/reads')]
  await app.sql.unsafe(`
    create function fill_disk() returns trigger language plpgsql as $$
    begin if new.org_id = '${member.org.id}' then raise exception 'no space left' using errcode = '53100'; end if; return new; end $$`)
  await app.sql`create trigger fill_disk before insert on passages for each row execute function fill_disk()`
  const remember = ({ client, project }: typeof member, content: string) =>
    client.memory.create({ projectId: project.id, key: 'harbor', content })
  await remember(member, 'The harbor opens at nine.')
  const source = async () =>
    (
      await app.sql`select state, attempts, due_at is not null as "isDue" from passage_sources where org_id = ${member.org.id}`
    )[0]
  for (let attempt = 0; attempt < 4; attempt++) {
    await app.sql`update passage_sources set due_at = now() - interval '1 hour' where org_id = ${member.org.id}`
    await expect.poll(source, { timeout: 15_000 }).toEqual({ state: 'waiting', attempts: 0, isDue: true })
    await expect
      .poll(
        async () => {
          const [row] =
            await app.sql`select due_at > now() as later from passage_sources where org_id = ${member.org.id}`
          return row!.later
        },
        { timeout: 15_000 },
      )
      .toBe(true)
  }
  await remember(other, 'The station opens at ten.')
  const find = async ({ client }: typeof member) =>
    (await client.passages.search({ q: 'Which one opens?' })).items.length
  await expect.poll(() => find(other), { timeout: 15_000 }).toBe(1)
  expect(await find(member)).toBe(0)
  await app.sql`drop trigger fill_disk on passages`
  await app.sql`update passage_sources set due_at = now() - interval '1 hour' where org_id = ${member.org.id}`
  await expect.poll(() => find(member), { timeout: 15_000 }).toBe(1)
})
