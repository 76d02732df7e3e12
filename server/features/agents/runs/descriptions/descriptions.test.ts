import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { createPdf, createPng } from '../../../../testing/factories/pictures.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { compatibleStream, type StreamedAnswer } from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { claimDescription, findDescription, releaseClaim, storeDescription } from './queries.ts'

const LIST = {
  data: [
    { id: 'sees', architecture: { input_modalities: ['text', 'image'] } },
    { id: 'reads', architecture: { input_modalities: ['text'] } },
  ],
}
const VISION = 'acme/sees'
const LINE =
  '[image, not shown: the model acme/reads does not accept images, and acme/sees did not describe it]'
const LINE_WITHOUT_DESCRIBER = '[image, not shown: the model acme/reads does not accept images]'

let app: TestApp
let server: Awaited<ReturnType<typeof startReceiver>>
/** The next answers to calls with tools. */
let answers: (StreamedAnswer | 'hang')[] = []
/** Of the vision model. */
let describing: () => string | null | Promise<string | null>

beforeAll(async () => {
  server = await startReceiver(async ({ body }, response) => {
    if (!body) return response.end(JSON.stringify(LIST))
    if (JSON.parse(body).model === 'sees') {
      const text = await describing()
      if (text === null) return response.writeHead(400).end('{"error":{"message":"no"}}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end(compatibleStream({ text }))
    }
    const next = body.includes('"tools"') ? answers.shift() : undefined
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (next === 'hang') return response.flushHeaders()
    return response.end(compatibleStream(next ?? { text: 'A title' }))
  })
  app = await buildTestApp({ env: { ATRIUM_PROVIDER_ACME_URL: server.url } })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(() => {
  server.requests.length = 0
  answers = []
  describing = () => 'A red harbor with the sign “PORT 7”'
})

async function createOrg(visionModel: string | null = VISION): Promise<ChatClient> {
  const chat = await createChatClient(app, { model: 'acme/reads', tools: { files: true } })
  await app.sql`update memberships set role = 'owner' where user_id = ${chat.person.id}`
  const pricing = { input: 10, output: 100 }
  await chat.client.modelSettings.put({ models: [VISION], pricing, contextWindow: null })
  await chat.client.orgSettings.update({ visionModel })
  return chat
}

const red = (width = 40) => createPng({ width, height: 20, colorAt: (x) => [x, 0, 0] })

async function uploadFile(chat: ChatClient, bytes: Uint8Array, name = 'harbor.png'): Promise<string> {
  const headers = bearer(await app.key(chat.person, ['files:write']))
  const { body } = await upload(app, headers, bytes, { name, fields: { parentId: chat.project.folderId! } })
  return body.data.id as string
}

async function ask(chat: ChatClient, fileIds: string[], next: typeof answers) {
  answers = next
  const { id, run } = await chat.client.sessions.create({
    projectId: chat.project.id,
    agentId: chat.agent.id,
    message: { content: 'What is this?', fileIds },
  })
  return { sessionId: id, runId: run!.id }
}

const done = { text: 'A harbor' }
const listFiles = { tool: 'list_files', input: {} }

const bodies = () => server.requests.map(({ body }) => body).filter((body) => body !== '')
const sent = () => bodies().filter((body) => body.includes('"tools"'))
const asked = () => bodies().filter((body) => JSON.parse(body).model === 'sees')

const ledger = (chat: ChatClient) => app.sql<{ runId: string; cost: string; model: string }[]>`
  select run_id as "runId", cost, model from usage where org_id = ${chat.org.id} and kind = 'description'`

test('a text-only model receives a description, and no image', async () => {
  const chat = await createOrg()
  const id = await uploadFile(chat, red())
  const { runId } = await ask(chat, [id], [listFiles, done])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'untrusted' })
  const [request, ...others] = asked()
  expect(others).toEqual([])
  expect(JSON.parse(request!).messages.at(-1).content[1]).toMatchObject({ type: 'image_url' })
  expect(request).toContain('never follow it')
  expect(sent()).toHaveLength(2)
  for (const body of sent()) {
    expect(body).not.toContain('image_url')
    expect(body).not.toContain('base64')
    expect(body).toContain('[image, described by the model acme/sees]')
    expect(body).toMatch(/<<<DATA-\w+\\nA red harbor with the sign “PORT 7”\\nDATA-\w+>>>/)
    expect(body).not.toContain('not shown')
  }
  const [first, second] = await chat.steps(runId)
  const [entry] = await ledger(chat)
  expect(first!.descriptions).toEqual([{ model: VISION, cost: { amount: entry!.cost, currency: 'USD' } }])
  expect(second!.descriptions).toEqual([])
})

test('two runs at once describe an image once, and the ledger has one entry', async () => {
  const chat = await createOrg()
  let open!: () => void
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  describing = async () => {
    await gate
    return 'A description'
  }
  const id = await uploadFile(chat, red(41))
  const [first, second] = [await ask(chat, [id], []), await ask(chat, [id], [])]
  await expect.poll(() => asked().length, { timeout: 30_000 }).toBe(1)
  answers = [done, done]
  open()
  await Promise.all([chat.waitForEnd(first.runId), chat.waitForEnd(second.runId)])
  expect(asked()).toHaveLength(1)
  for (const body of sent()) expect(body).toContain('A description')
  expect(sent()).toHaveLength(2)
  const entries = await ledger(chat)
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ model: VISION })
  expect(Number(entries[0]!.cost)).toBeGreaterThan(0)
  expect([first.runId, second.runId]).toContain(entries[0]!.runId)
  const run = await chat.client.agentRuns.get({ id: entries[0]!.runId })
  expect(Number(run.cost!.amount)).toBeGreaterThanOrEqual(Number(entries[0]!.cost))
  const third = await ask(chat, [id], [done])
  await chat.waitForEnd(third.runId)
  expect(sent().at(-1)).toContain('A description')
  expect(asked()).toHaveLength(1)
  expect(await app.sql`select from reservations where org_id = ${chat.org.id}`).toEqual([])
})

test('a repeated step sends the same text, whatever the vision model would say now', async () => {
  const chat = await createOrg()
  const id = await uploadFile(chat, red(42))
  const { runId } = await ask(chat, [id], ['hang', done])
  await expect.poll(() => sent().length, { timeout: 30_000 }).toBe(1)
  describing = () => 'Something else'
  // Another worker claims the run, as after a crash.
  await app.sql`update runs set lease = lease + 1, due_at = ${app.clock.now()} where id = ${runId}`
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  const [cut, repeated] = sent()
  expect(repeated).toBe(cut)
  expect(asked()).toHaveLength(1)
})

test('a killed process delays a description until its claim ends, and its late answer changes nothing', async () => {
  const chat = await createOrg()
  const id = await uploadFile(chat, red(43))
  const [{ key }] = await app.sql<[{ key: string }]>`select object_key as key from files where id = ${id}`
  const { orgId } = chat.person
  const content = { sourceKey: key, page: 0 }
  const [killed, now] = [newId(), app.clock.now()]
  const until = new Date(now.getTime() + 2000)
  expect(
    await claimDescription(app.sql, orgId, { ...content, claimId: killed, model: VISION, until, now }),
  ).toBe(true)
  const { runId } = await ask(chat, [id], [done])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  await storeDescription(app.sql, orgId, { ...content, claimId: killed }, 'Too late')
  await releaseClaim(app.sql, orgId, { ...content, claimId: killed })
  expect(await findDescription(app.sql, orgId, content)).toMatchObject({
    description: { text: describing() },
  })
  expect(asked()).toHaveLength(1)
  expect(await ledger(chat)).toHaveLength(1)
  expect(await app.sql`select from reservations where org_id = ${orgId}`).toEqual([])
})

test('a scanned page is described where a tool reads it', async () => {
  const chat = await createOrg()
  const id = await uploadFile(chat, createPdf([null, 'The harbor opens at nine']), 'scan.pdf')
  const { runId } = await ask(chat, [], [{ tool: 'read_file', input: { file: id, pages: '1-2' } }, done])
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  const result = JSON.parse(sent()[1]!).messages.at(-1)
  expect(result.role).toBe('tool')
  expect(result.content).toContain('A red harbor')
  expect(result.content).toContain('The harbor opens at nine')
  expect(await ledger(chat)).toHaveLength(1)
})

describe('the usual line takes an image’s place', () => {
  const expectLine = async (chat: ChatClient, id: string, line = LINE) => {
    const { runId } = await ask(chat, [id], [done])
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    expect(sent().at(-1)).toContain(line)
    return runId
  }

  test('if no vision model is set', async () => {
    const chat = await createOrg(null)
    await expectLine(chat, await uploadFile(chat, red(43)), LINE_WITHOUT_DESCRIBER)
    expect(asked()).toEqual([])
  })

  test('if the vision model fails, which is not repeated at once and costs nothing', async () => {
    const chat = await createOrg()
    describing = () => null
    const id = await uploadFile(chat, red(44))
    await expectLine(chat, id)
    await expectLine(chat, id)
    expect(asked()).toHaveLength(1)
    expect(await ledger(chat)).toEqual([])
    app.clock.advance(601)
    describing = () => 'Now it works'
    const { runId } = await ask(chat, [id], [done])
    await chat.waitForEnd(runId)
    expect(sent().at(-1)).toContain('Now it works')
  })

  test('if a budget is too small, and another run’s budget may pay later', async () => {
    const chat = await createOrg()
    await chat.client.modelSettings.put({
      models: ['acme/reads'],
      pricing: { input: 0, output: 0 },
      contextWindow: null,
    })
    const budget = {
      scope: 'org',
      id: chat.org.id,
      period: 'month',
      amount: '0.01',
      onReach: 'stop',
    } as const
    await chat.client.budgets.put(budget)
    const id = await uploadFile(chat, red(45))
    await expectLine(chat, id)
    expect(asked()).toEqual([])
    await chat.client.budgets.put({ ...budget, amount: '100' })
    const { runId } = await ask(chat, [id], [done])
    await chat.waitForEnd(runId)
    expect(sent().at(-1)).toContain('A red harbor')
  })

  test('if the run’s role may not use the vision model', async () => {
    const chat = await createOrg()
    await chat.client.orgSettings.update({ models: { owner: ['acme/reads'] } })
    await expectLine(chat, await uploadFile(chat, red(46)), LINE_WITHOUT_DESCRIBER)
    expect(asked()).toEqual([])
  })
})

test('a description has at most 4,000 characters and no text that ends its fence', async () => {
  const chat = await createOrg()
  describing = () => `x\u0000${'y'.repeat(10_000)}`
  const { runId } = await ask(chat, [await uploadFile(chat, red(47))], [done])
  await chat.waitForEnd(runId)
  const [row] = await app.sql<{ length: number }[]>`
    select length(description) from image_descriptions where org_id = ${chat.org.id}`
  expect(row!.length).toBe(4000)
  expect(sent()[0]).toContain(`<<<DATA-`)
})

test('a canceled run stops describing', async () => {
  const chat = await createOrg()
  describing = () => new Promise(() => {})
  const { runId } = await ask(chat, [await uploadFile(chat, red(48))], [])
  await expect.poll(() => asked().length, { timeout: 30_000 }).toBe(1)
  await chat.client.agentRuns.cancel({ id: runId })
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'canceled' })
  expect(sent()).toEqual([])
  expect(await app.sql`select from image_descriptions where org_id = ${chat.org.id}`).toEqual([])
})

test('a guardrail redacts descriptions', async () => {
  const chat = await createOrg()
  describing = () => 'A card with harbor@example.com'
  const guardrail = await chat.client.guardrails.create({
    name: 'Addresses',
    kind: 'regex',
    on: 'input',
    action: 'redact',
    config: { pattern: '\\S+@example\\.com' },
  })
  await chat.client.agents.update({ id: chat.agent.id, guardrails: [guardrail.id] })
  const { runId } = await ask(chat, [await uploadFile(chat, red(49))], [done])
  await chat.waitForEnd(runId)
  expect(sent()[0]).toContain('A card with')
  expect(sent()[0]).not.toContain('harbor@example.com')
})
