import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type EmbeddingServer,
  startEmbeddingServer,
  usual,
} from '../../../../testing/fakes/embedding-server.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let server: EmbeddingServer
const logged: string[] = []
const log = new Writable({
  write(chunk, _encoding, done) {
    logged.push(String(chunk))
    done()
  },
})
beforeAll(async () => {
  server = await startEmbeddingServer()
  app = await buildTestApp({ log, env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), server.close()]))
beforeEach(async () => {
  server.respond()
  await app.sql`delete from rate_limits`
})

const MODELS = ['vectors/text-small', 'vectors/text-large']
const ROUNDS = 15

test('a model that is switched while passages change leaves one vector of each, and no deadlock', async () => {
  server.respond((response, request) => void setTimeout(() => usual(response, request), Math.random() * 30))
  const { person, org } = await app.newUser({ role: 'owner' })
  const admin = await app.withSession(person)
  await admin.modelProviders.create({
    ...{ kind: 'openai-compatible', name: 'Vectors', url: server.url, apiKey: 'sk-vectors-1234567' },
  })
  const { id: projectId } = await app.project(person)
  const ids: string[] = []
  for (let n = 0; n < 10; n++)
    ids.push((await admin.memory.create({ projectId, key: `key-${n}`, content: 'One blue car.' })).id)
  for (let round = 0; round < ROUNDS; round++) {
    await app.sql`delete from rate_limits`
    const model = round % 7 === 6 ? null : MODELS[round % 2]!
    await Promise.all([
      admin.orgSettings.update({ embeddings: { model } }),
      ...ids.map((id) => admin.memory.update({ id, content: `The wage of round ${round} is high.` })),
    ])
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
  }
  await admin.orgSettings.update({ embeddings: { model: MODELS[1]! } })
  const problems = logged
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 40)
    .map(({ msg, err }) => `${msg}: ${err?.message} ${err?.detail} ${err?.where}`)
  expect(problems).toEqual([])
  await settled(org.id, MODELS[1]!, ids.length)
}, 120_000)

/** All passages have one vector of this model, and nothing is left of others. */
const settled = (orgId: string, model: string, passages: number) =>
  vi.waitFor(
    async () => {
      expect(
        await app.sql`select model, state, due_at from passage_embedders where org_id = ${orgId}`,
      ).toEqual([{ model, state: 'serving', due_at: null }])
      const rows = await app.sql<{ vectors: number }[]>`
        select (
          select count(*)::int from passage_vectors v
          where v.org_id = p.org_id and v.source_id = p.source_id and v.ordinal = p.ordinal) as vectors
        from passages p where p.org_id = ${orgId}`
      expect(rows.map(({ vectors }) => vectors)).toEqual(Array.from({ length: passages }, () => 1))
    },
    { timeout: 20_000, interval: 200 },
  )
