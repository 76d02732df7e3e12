import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type EmbeddingServer,
  send,
  startEmbeddingServer,
  TOKENS_PER_TEXT,
  usual,
} from '../../../../testing/fakes/embedding-server.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let server: EmbeddingServer
beforeAll(async () => {
  server = await startEmbeddingServer()
  app = await buildTestApp({
    env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ATRIUM_OLLAMA_URL: server.root },
  })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), server.close()]))
beforeEach(async () => {
  server.respond()
  await app.sql`delete from rate_limits`
})

const waitFor = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 100 })

const SMALL = 'vectors/text-small'
const LARGE = 'vectors/text-large'

type Member = Awaited<ReturnType<typeof setup>>

/** An organization with a provider and a project. */
async function setup({ model = SMALL as string | null } = {}) {
  const { org, person, client } = await app.newUser({ role: 'owner' })
  const admin = await app.withSession(person)
  await admin.modelProviders.create({
    kind: 'openai-compatible',
    name: 'Vectors',
    url: server.url,
    apiKey: 'sk-vectors-1234567',
  })
  const { id: projectId } = await app.project(person)
  if (model !== null) await admin.orgSettings.update({ embeddings: { model } })
  return { org, person, client, admin, projectId }
}

const remember = ({ client, projectId }: Member, key: string, content: string) =>
  client.memory.create({ projectId, key, content })

const ready = ({ client }: Member, model = SMALL, passages = 1) =>
  waitFor(async () =>
    expect(await client.embeddings.get()).toMatchObject({
      ...{ model, serving: model, state: 'ready', problem: null },
      progress: { passages, embedded: passages },
    }),
  )

const find = async ({ client }: Member, q: string, query: object = {}) =>
  (await client.passages.search({ q, explain: 'true', ...query })).items

const QUESTION = 'Which automobile does a surgeon drive?'

const usageOf = ({ org }: Member) => app.sql`
  select kind, model, project_id as "projectId", user_id as "userId", quantity, cost from usage
  where org_id = ${org.id} order by at, id`

describe('a question in other words', () => {
  test('finds a passage by its meaning with an embedder, and not without', async () => {
    const member = await setup({ model: null })
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await waitFor(async () => expect(await find(member, 'blue')).toHaveLength(1))
    expect(await find(member, 'Which automobile has a physician?')).toEqual([])
    await member.admin.orgSettings.update({ embeddings: { model: SMALL } })
    await ready(member)
    const [found] = await find(member, 'Which automobile has a physician?')
    expect(found).toMatchObject({
      source: { name: 'fleet' },
      text: 'Our doctor owns one blue car.',
      coverage: 0,
      fusion: { words: null, meaning: { rank: 1 } },
    })
    expect(found!.fusion!.meaning!.similarity).toBeGreaterThan(0.8)
  })

  test('ranks what has both the words and the meaning first', async () => {
    const member = await setup()
    await remember(member, 'one', 'The surgeon works at night.')
    await remember(member, 'two', 'The physician has a vehicle.')
    await remember(member, 'three', 'The surgeon drives a sedan.')
    await ready(member, SMALL, 3)
    const found = await find(member, QUESTION)
    expect(found.map(({ source }) => source.name)).toContain('two')
    expect(found[0]).toMatchObject({
      source: { name: 'three' },
      fusion: { words: { rank: 1 }, meaning: { rank: expect.any(Number) } },
    })
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score)
  })

  test('keeps its answer small without explain', async () => {
    const member = await setup()
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    const [found] = (await member.client.passages.search({ q: QUESTION })).items
    expect(Object.keys(found!)).not.toContain('fusion')
  })
})

describe('access', () => {
  test('another organization, and a member without the project, find nothing by meaning', async () => {
    const [member, other] = [await setup(), await setup()]
    const hidden = await app.project(member.person, { visibility: 'private' })
    await member.client.memory.create({
      projectId: hidden.id,
      key: 'secret',
      content: 'Our doctor owns one blue car.',
    })
    await remember(other, 'own', 'Nothing but wages.')
    await Promise.all([ready(member), ready(other)])
    expect(await find(member, QUESTION)).toHaveLength(1)
    const colleague = {
      ...member,
      client: await app.withKey(await app.person(member.org, { role: 'owner' })),
    }
    expect(await find(colleague, QUESTION)).toEqual([])
    expect((await find(other, QUESTION)).map(({ source }) => source.name)).toEqual(['own'])
  })
})

describe('a changed passage', () => {
  test('is found by its new meaning only, and deleted passages leave no vectors', async () => {
    const member = await setup()
    const { id } = await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    await member.client.memory.update({ id, content: 'The wage is paid monthly.' })
    await waitFor(async () => {
      const [found] = await find(member, 'remuneration')
      expect(found).toMatchObject({ text: 'The wage is paid monthly.', fusion: { meaning: { rank: 1 } } })
      expect(found!.fusion!.meaning!.similarity).toBeGreaterThan(0.8)
    })
    await member.admin.memory.remove({ id })
    await waitFor(async () => {
      for (const table of ['passage_embeddings', 'passage_vectors', 'passage_embedding_queue'])
        expect(await app.sql`select from ${app.sql(table)} where org_id = ${member.org.id}`).toHaveLength(0)
    })
  })
})

describe('another embedder', () => {
  test('serves when its vectors are complete, the former until then', async () => {
    const member = await setup()
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    server.respond((response, request) =>
      request.model === 'text-large'
        ? send(response, 503, { error: { message: 'Loading' } })
        : usual(response, request),
    )
    await member.admin.orgSettings.update({ embeddings: { model: LARGE } })
    await waitFor(async () =>
      expect(await member.client.embeddings.get()).toMatchObject({
        ...{ model: LARGE, serving: SMALL, state: 'waiting' },
        problem: expect.stringContaining('Loading'),
        progress: { passages: 1, embedded: 0 },
      }),
    )
    expect(await find(member, QUESTION)).toHaveLength(1)
    // New passages get vectors of both.
    await remember(member, 'pay', 'The salary is high.')
    await waitFor(async () =>
      expect(await find(member, 'remuneration')).toMatchObject([{ source: { name: 'pay' } }, {}]),
    )
    server.respond()
    await app.sql`update passage_embedders set due_at = now() where org_id = ${member.org.id} and state = 'building'`
    await ready(member, LARGE, 2)
    expect(await find(member, 'Which sedan is it?')).not.toEqual([])
    await waitFor(async () =>
      expect(await app.sql`select state from passage_embedders where org_id = ${member.org.id}`).toEqual([
        { state: 'serving' },
      ]),
    )
    expect(await app.sql`select from passage_vectors where org_id = ${member.org.id}`).toHaveLength(2)
  })

  test('can be none, which deletes the vectors', async () => {
    const member = await setup()
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    await member.admin.orgSettings.update({ embeddings: { model: null } })
    await waitFor(async () => {
      expect(await member.client.embeddings.get()).toMatchObject({ model: null, state: 'off', serving: null })
      expect(await app.sql`select from passage_embedders where org_id = ${member.org.id}`).toHaveLength(0)
    })
    expect(await find(member, QUESTION)).toEqual([])
  })

  test.each([
    ['vectors-of-nobody/model', 'body.embeddings.model'],
    ['static/model@12345678', 'body.embeddings.model'],
  ])('is refused if it is %s', async (model, path) => {
    const { admin } = await setup({ model: null })
    await expect(admin.orgSettings.update({ embeddings: { model } })).rejects.toThrow(path)
  })
})

describe('a provider that fails', () => {
  test('leaves a search with the words, and is asked once', async () => {
    const member = await setup()
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    server.respond(() => {})
    const found = await find(member, 'Who owns a blue automobile?')
    expect(found.map(({ source, fusion }) => [source.name, fusion])).toEqual([['fleet', undefined]])
    expect(await find(member, 'Whose car is blue?')).toHaveLength(1)
    expect(server.requests).toHaveLength(1)
  })

  test('delays the vectors, says why and goes on afterwards', async () => {
    server.respond((response) => send(response, 401, { error: { message: 'Bad key sk-vectors-1234567' } }))
    const member = await setup()
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await waitFor(async () => {
      const { state, problem } = await member.client.embeddings.get()
      expect([state, problem]).toEqual(['waiting', 'The provider rejected the API key (HTTP 401)'])
    })
    server.respond()
    await app.sql`update passage_embedders set due_at = now() where org_id = ${member.org.id}`
    await ready(member)
  })

  test('refuses one text, and the others get their vectors', async () => {
    server.respond((response, request) =>
      request.input.some((text) => text.includes('unspeakable'))
        ? send(response, 400, { error: { message: 'Invalid input' } })
        : usual(response, request),
    )
    const member = await setup()
    await remember(member, 'first', 'Our doctor owns one blue car.')
    await ready(member)
    for (const name of ['a', 'b', 'c']) await remember(member, name, `The ${name} salary is high.`)
    await remember(member, 'bad', 'An unspeakable wage.')
    for (const name of ['d', 'e']) await remember(member, name, `The ${name} salary is high.`)
    await ready(member, SMALL, 7)
    expect(await app.sql`select from passage_vectors where org_id = ${member.org.id}`).toHaveLength(6)
    const found = await find(member, 'wage', { limit: 20 })
    expect(found.find(({ source }) => source.name === 'bad')).toMatchObject({
      fusion: { words: { rank: 1 }, meaning: null },
    })
  })

  describe.each([
    ['NaN', (vector: number[]) => `[NaN,${vector.slice(1).join()}]`],
    ['infinite numbers', (vector: number[]) => `[1e999,-1e999,1e300,${vector.slice(3).join()}]`],
    ['texts', (vector: number[]) => JSON.stringify(vector.map(String))],
    ['nothing', () => 'null'],
    ['another length', (vector: number[]) => JSON.stringify(vector.slice(1))],
  ])('returns %s for one text', (_name, broken) => {
    const isBad = (text: string) => text.includes('unspeakable')
    const answer: Parameters<typeof server.respond>[0] = (response, { input }) => {
      const vectors = input.map((text) => {
        const vector = Array.from({ length: 64 }, (_, at) => (at % (text.length % 7) === 0 ? 1 : -0.5))
        return isBad(text) ? broken(vector) : JSON.stringify(vector)
      })
      const data = vectors.map((vector, index) => `{"index":${index},"embedding":${vector}}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data":[${data.join()}]}`)
    }
    const retry = async ({ org }: Member) => {
      await app.sql`update passage_embedding_queue set queued_at = now() - interval '1 day' where org_id = ${org.id}`
      await app.sql`update passage_embedders set due_at = now() - interval '1 day' where org_id = ${org.id}`
    }
    const attempts = ({ org }: Member) =>
      app.sql`select attempts from passage_embedding_queue where org_id = ${org.id}`
    const problem =
      'The model returned no usable vectors for some passages, which are found by their words. It is asked again.'

    async function pending() {
      server.respond(answer)
      const member = await setup()
      await remember(member, 'a', 'The a salary is high.')
      await ready(member)
      await remember(member, 'bad', 'An unspeakable wage.')
      await remember(member, 'b', 'The b salary is high.')
      await waitFor(async () =>
        expect(await member.client.embeddings.get()).toMatchObject({
          ...{ state: 'waiting', problem, progress: { passages: 3, embedded: 2 } },
        }),
      )
      expect(await attempts(member)).toEqual([{ attempts: 1 }])
      return member
    }

    test('leaves it waiting, and the others get their vectors', async () => {
      const member = await pending()
      server.respond()
      await retry(member)
      await ready(member, SMALL, 3)
      expect(await app.sql`select from passage_vectors where org_id = ${member.org.id}`).toHaveLength(3)
    })

    test('is asked for it four times', async () => {
      const member = await pending()
      for (const count of [2, 3]) {
        await retry(member)
        await waitFor(async () => expect(await attempts(member)).toEqual([{ attempts: count }]))
      }
      await retry(member)
      await ready(member, SMALL, 3)
      expect(await attempts(member)).toEqual([])
      expect(await app.sql`select from passage_vectors where org_id = ${member.org.id}`).toHaveLength(2)
    })
  })

  test('returns nothing usable for any text: all wait, and none counts as refused', async () => {
    server.respond((response, { input }) =>
      send(response, 200, { data: input.map((_, index) => ({ index, embedding: ['x'] })) }),
    )
    const member = await setup()
    for (const name of ['a', 'b']) await remember(member, name, `The ${name} salary is high.`)
    await waitFor(async () =>
      expect(await member.client.embeddings.get()).toMatchObject({
        ...{ state: 'waiting', problem: 'The provider’s response has no usable embeddings' },
        progress: { passages: 2, embedded: 0 },
      }),
    )
    expect(
      await app.sql`select from passage_embedding_queue where org_id = ${member.org.id} and attempts > 0`,
    ).toEqual([])
    server.respond()
    await app.sql`update passage_embedders set due_at = now() where org_id = ${member.org.id}`
    await ready(member, SMALL, 2)
  })

  test('mixes up which vector belongs to which text: none is stored', async () => {
    server.respond((response, { input }) => {
      const vector = Array.from({ length: 64 }, (_, at) => at - 30)
      send(response, 200, {
        data: input.flatMap(() => [
          { index: 0, embedding: vector },
          { index: 0, embedding: vector },
        ]),
      })
    })
    const member = await setup()
    for (const name of ['a', 'b']) await remember(member, name, `The ${name} salary is high.`)
    await waitFor(async () =>
      expect(await member.client.embeddings.get()).toMatchObject({ state: 'waiting' }),
    )
    expect(await app.sql`select from passage_vectors where org_id = ${member.org.id}`).toEqual([])
    server.respond()
    await app.sql`update passage_embedders set due_at = now() where org_id = ${member.org.id}`
    await ready(member, SMALL, 2)
  })

  test('starts again a minute later if its vectors change their length', async () => {
    const member = await setup()
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    server.respond((response, request) => usual(response, { ...request, model: 'large' }))
    await remember(member, 'pay', 'The salary is high.')
    await waitFor(async () =>
      expect(
        await app.sql`select state, dimensions from passage_embedders where org_id = ${member.org.id}`,
      ).toEqual([{ state: 'building', dimensions: null }]),
    )
    // The second asks for a known text, which also has another length.
    expect(server.requests).toHaveLength(2)
    await app.sql`update passage_embedders set due_at = ${app.clock.now()} where org_id = ${member.org.id}`
    await remember(member, 'tea', 'Tea is green.')
    await waitFor(async () =>
      expect(
        await app.sql`select distinct length(code) as length from passage_embeddings where org_id = ${member.org.id}`,
      ).toEqual([{ length: 96 }]),
    )
    await ready(member, SMALL, 3)
  })
})

describe('cost', () => {
  test('is in the ledger: passages for their project, questions for their member', async () => {
    const member = await setup({ model: null })
    const { admin, projectId } = member
    await admin.modelSettings.put({
      models: [SMALL],
      pricing: { input: 1000, output: 0 },
      contextWindow: null,
    })
    await admin.orgSettings.update({ embeddings: { model: SMALL } })
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member)
    await find(member, QUESTION)
    await find(member, QUESTION)
    const entry = { kind: 'embedding', model: SMALL, quantity: { input: TOKENS_PER_TEXT }, cost: '0.010000' }
    expect(await usageOf(member)).toEqual([
      { ...entry, projectId, userId: null },
      { ...entry, projectId: null, userId: member.person.id },
    ])
    expect(await app.sql`select spend from projects where id = ${projectId}`).toEqual([{ spend: '0.010000' }])
    expect(await app.sql`select from reservations where org_id = ${member.org.id}`).toHaveLength(0)
  })

  test('above a budget pauses the vectors, says so, and searches find by words', async () => {
    const member = await setup({ model: null })
    const { admin, org } = member
    await admin.modelSettings.put({
      models: [SMALL],
      pricing: { input: 1000, output: 0 },
      contextWindow: null,
    })
    await admin.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '0.001', onReach: 'stop' })
    await admin.orgSettings.update({ embeddings: { model: SMALL } })
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await waitFor(async () =>
      expect(await member.client.embeddings.get()).toMatchObject({
        state: 'waiting',
        problem: expect.stringMatching(/^The organization budget for this month, 0\.00 USD, is reached$/),
      }),
    )
    expect(await find(member, 'blue')).toHaveLength(1)
    expect(server.requests).toHaveLength(0)
    await admin.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '10', onReach: 'stop' })
    await app.sql`update passage_embedders set due_at = now() where org_id = ${org.id}`
    await ready(member)
  })

  test('above one project’s budget leaves the other projects their vectors', async () => {
    const member = await setup({ model: null })
    const { admin, org, person, projectId } = member
    const other = await app.project(person)
    await admin.modelSettings.put({
      models: [SMALL],
      pricing: { input: 1000, output: 0 },
      contextWindow: null,
    })
    await admin.budgets.put({
      ...{ scope: 'project', id: projectId, period: 'month', amount: '0.001', onReach: 'stop' },
    })
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await admin.orgSettings.update({ embeddings: { model: SMALL } })
    const isLimited = async () =>
      expect(await member.client.embeddings.get()).toMatchObject({
        state: 'waiting',
        problem: expect.stringContaining('project budget'),
      })
    await waitFor(isLimited)
    await remember({ ...member, projectId: other.id }, 'pay', 'The salary is high.')
    await waitFor(async () =>
      expect(
        await app.sql`
          select s.space_id as id from passage_vectors v join passage_sources s on s.org_id = v.org_id and s.id = v.source_id
          where v.org_id = ${org.id}`,
      ).toEqual([{ id: other.id }]),
    )
    await isLimited()
    expect(server.requests).toHaveLength(1)
  })
})

describe('Ollama', () => {
  test('embeds over its own API, with the words that its model expects', async () => {
    const member = await setup({ model: 'ollama/nomic-embed-text' })
    await remember(member, 'fleet', 'Our doctor owns one blue car.')
    await ready(member, 'ollama/nomic-embed-text')
    expect(await find(member, QUESTION)).toHaveLength(1)
    expect(server.requests.map(({ path, input }) => [path, input[0]])).toEqual([
      ['/api/embed', 'search_document: fleet\nOur doctor owns one blue car.'],
      ['/api/embed', `search_query: ${QUESTION}`],
    ])
  })
})

describe('the test button', () => {
  test('says how long the vectors are, or what the provider said', async () => {
    const { admin } = await setup({ model: null })
    await expect(admin.embeddings.test({})).rejects.toThrow('No embedder is set')
    expect(await admin.embeddings.test({ model: SMALL })).toMatchObject({
      ok: true,
      dimensions: 64,
      problem: null,
    })
    expect(await admin.embeddings.test({ model: 'nobody/x' })).toMatchObject({
      ok: false,
      problem: 'nobody/x has no provider with embeddings',
    })
    server.respond((response) => send(response, 200, { data: [{ embedding: ['x'] }] }))
    expect(await admin.embeddings.test({ model: SMALL })).toMatchObject({
      ok: false,
      problem: 'The provider’s response has no usable embeddings',
    })
  })

  test.each([
    ['texts', { data: Array(1_000_000).fill(1) }],
    ['numbers', { data: [{ embedding: Array(1_000_000).fill('') }] }],
  ])('refuses an answer of too many %s', async (_name, body) => {
    const { admin } = await setup({ model: null })
    server.respond((response) => send(response, 200, body))
    const before = process.memoryUsage.rss()
    expect(await admin.embeddings.test({ model: SMALL })).toMatchObject({ ok: false })
    expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000)
  })

  test('is for admins', async () => {
    const { org } = await setup({ model: null })
    const client = await app.withSession(await app.person(org, { role: 'member' }))
    await expect(client.embeddings.test({ model: SMALL })).rejects.toThrow(/permission|admin|role/i)
  })
})
