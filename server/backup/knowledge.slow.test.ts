import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import { callLine, scriptedAgent } from '../testing/clients/scripted-runs.ts'
import { cloneDatabase, socketUrl } from '../testing/database.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../testing/fakes/embedding-server.ts'
import { buildTestApp, cookie, type TestApp } from '../testing/test-app.ts'
import { backup } from './backup.ts'
import { createProgress } from './progress.ts'
import { restore } from './restore.ts'

const SECRET = 'a secret for tests, long enough to be one'
const MODEL = 'vectors/text-small'
const runOptions = { progress: createProgress({ write: () => {} }), signal: new AbortController().signal }

let app: TestApp
let server: EmbeddingServer
let emptyDatabase: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string
beforeAll(async () => {
  server = await startEmbeddingServer()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
  emptyDatabase = await cloneDatabase('template0')
  folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
})
afterAll(async () => {
  await Promise.all([app.close(), server.close()])
  await emptyDatabase.drop()
  await rm(folder, { recursive: true })
})

const configFor = (connection: Connection, dataFolder: string) =>
  readConfig({ ATRIUM_SECRET: SECRET, DATABASE_URL: socketUrl(connection), ATRIUM_DATA: dataFolder })

const within = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 250 })

type Agent = Awaited<ReturnType<typeof scriptedAgent>>

/** What members see of their knowledge. */
async function readKnowledge(client: Agent['client'], sessionId: string) {
  const find = async (q: string, types: string) =>
    (await client.passages.search({ q, types, explain: 'true' })).items.map(({ source, key, fusion }) => ({
      ...{ name: source.name, key, meaning: fusion?.meaning?.rank },
    }))
  const { items } = await client.sessions.messages({ id: sessionId })
  return {
    embeddings: await client.embeddings.get(),
    setting: (await client.orgSettings.get()).embeddings,
    session: (await client.sessions.get({ id: sessionId })).knowledge,
    citations: items.flatMap(({ citations }) => citations),
    byMeaning: await find('How much remuneration does a surgeon get?', 'file'),
    pinned: await find('What is the salary?', 'session'),
  }
}

test('a restored installation finds by meaning, in pinned conversations too, and its citations open', async () => {
  const agent = await scriptedAgent(app)
  await app.sql`update memberships set role = 'owner' where user_id = ${agent.person.id}`
  const admin = await app.withSession(agent.person)
  await admin.modelProviders.create({
    ...{ kind: 'openai-compatible', name: 'Vectors', url: server.url, apiKey: 'sk-vectors-1234567' },
  })
  await admin.orgSettings.update({ embeddings: { model: MODEL } })
  const { id: fileId } = await agent.write('wages.md', 'The salary of a doctor is high.\n')
  const find = async () => (await agent.client.passages.search({ q: 'salary', within: fileId })).items[0]?.key
  await within(find).toBeDefined()
  const search = callLine('search_knowledge', { queries: ['salary'] })
  const runId = await agent.play([search, '---', `say The salary is high [${await find()}].`])
  const { sessionId } = await agent.client.agentRuns.get({ id: runId })
  await agent.client.sessions.update({ id: sessionId, knowledge: true })
  await within(async () => {
    await app.sql`update passage_sources set due_at = now() where due_at > now() and attempts = 0`
    return (await agent.client.passages.search({ q: 'salary', types: 'session' })).items.length
  }).toBeGreaterThan(0)
  const state = async () => (await admin.embeddings.get()).state
  await within(state).toBe('ready')
  const before = await readKnowledge(admin, sessionId)
  expect(before).toMatchObject({ session: true, setting: { model: MODEL }, embeddings: { serving: MODEL } })
  expect(before.citations).toHaveLength(1)
  expect(before.byMeaning[0]).toMatchObject({ name: 'wages.md', meaning: expect.any(Number) })
  expect(before.pinned.length).toBeGreaterThan(0)

  const source = configFor(app.connection, app.dataFolder)
  const target = join(folder, 'backup')
  await backup({ config: source, target, ...runOptions })
  const config = configFor(emptyDatabase.connection, join(folder, 'restored'))
  await restore({ config, source: target, acceptsNewSecret: false, ...runOptions })

  const restored = await buildTestApp({
    on: emptyDatabase.connection,
    env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ATRIUM_DATA: config.dataFolder },
  })
  try {
    await restored.app.startWorker()
    const client = await restored.withSession(agent.person)
    expect(await readKnowledge(client, sessionId)).toEqual(before)
    const [citation] = before.citations
    const headers = cookie(await restored.session(agent.person))
    const path = `/api/v1/files/${citation!.fileId}/versions/${citation!.version}/preview`
    expect((await restored.request('GET', path, { headers })).text).toContain('salary of a doctor')
    // It goes on with what is new.
    server.requests.length = 0
    await client.memory.create({ projectId: agent.project.id, key: 'fleet', content: 'The car is blue.' })
    await within(async () => {
      const { state, progress } = await client.embeddings.get()
      return [state, progress!.embedded > before.embeddings.progress!.embedded]
    }).toEqual(['ready', true])
  } finally {
    await restored.close()
  }
})
