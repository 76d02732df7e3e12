import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { callLine } from '../../../../testing/clients/scripted-runs.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const FACTS = {
  rhine: 'The Rhine is 1233 kilometres long and flows through Basel.',
  elbe: 'The Elbe is 1094 kilometres long and flows through Dresden.',
}
type River = keyof typeof FACTS
const RIVERS = Object.keys(FACTS) as River[]

let app: TestApp
let site: Awaited<ReturnType<typeof startReceiver>>
let engine: Awaited<ReturnType<typeof startReceiver>>
const pageUrl = (river: string) => new URL(`/${river}`, site.url).href

/** Answers once both parts search, which only runs in parallel do. */
const searching = new Set<string>()
const bothSearch = Promise.withResolvers<void>()

beforeAll(async () => {
  site = await startReceiver(({ path }, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>${path.slice(1)}</title><article><p>${FACTS[path.slice(1) as River]}</p></article>`),
  )
  engine = await startReceiver(async ({ path }, response) => {
    const river = RIVERS.find((each) => path.includes(each))!
    searching.add(river)
    if (searching.size === RIVERS.length) bothSearch.resolve()
    await bothSearch.promise
    response.end(JSON.stringify({ results: [{ url: pageUrl(river), title: river, content: 'Length' }] }))
  })
  app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ATRIUM_WEB_SEARCH: 'searxng',
      ATRIUM_WEB_SEARCH_URL: new URL(engine.url).origin,
    },
  })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await Promise.all([site.close(), engine.close()])
})

const partOf = (river: River) =>
  `One part of a report: how long is it?\n${script(
    callLine('web_search', { query: `${river} length` }),
    '---',
    callLine('web_fetch', { url: pageUrl(river), save: true }),
    '---',
    `say ${FACTS[river]} ([${river}](${pageUrl(river)}))`,
  )}`

const sourceOf = (river: River) => `| ${river} | 127.0.0.1 | [page](${pageUrl(river)}) |`
const reportText = () =>
  [
    ...['# Two rivers', '', `The Rhine is longer ([rhine](${pageUrl('rhine')})).`, ''],
    ...['| Title | Publisher | Link |', '|---|---|---|', ...RIVERS.map(sourceOf), ''],
  ].join('\n')

test('the Researcher plans, searches and reads in parallel runs, and leaves a report, notes and citations', async () => {
  const person = await app.person(await app.organization(), { role: 'owner' })
  const client = await app.withSession(person)
  const project = await app.project(person)
  const { items: templates } = await client.agents.templates()
  const { settings } = templates.find(({ id }) => id === 'researcher')!
  const agent = await client.agents.create({ ...settings, model: 'test/script' })
  const notes = RIVERS.map((river) => ({ type: 'note', content: `${FACTS[river]} ${pageUrl(river)}` }))
  const session = await client.sessions.create({
    projectId: project.id,
    agentId: agent.id,
    message: {
      content: script(
        'say Two parts: one per river.',
        ...RIVERS.map((river) => callLine('run_agent', { agent: agent.name, message: partOf(river) })),
        '---',
        callLine('write_file', { name: 'Two rivers.md', text: reportText() }),
        callLine('edit_canvas', { create: notes }),
        '---',
        'say The Rhine is longer. See Two rivers.md.',
      ),
    },
  })
  const { id } = session.run!
  const ended = async (run: string) => (await client.agentRuns.get({ id: run })).status
  await expect.poll(() => ended(id), { timeout: 40_000 }).toBe('succeeded')

  const steps = (await client.agentRuns.steps({ id })).items
  const [first, second] = steps.map(({ calls }) => calls)
  expect(first!.map(({ tool, state }) => [tool, state])).toEqual([
    ['run_agent', 'done'],
    ['run_agent', 'done'],
  ])
  expect(second!.map(({ tool, state }) => [tool, state])).toEqual([
    ['write_file', 'done'],
    ['edit_canvas', 'done'],
  ])
  for (const [at, river] of RIVERS.entries()) {
    const childId = first![at]!.childRunId!
    expect(await client.agentRuns.get({ id: childId })).toMatchObject({
      ...{ status: 'succeeded', trust: 'untrusted', agentId: agent.id },
    })
    const calls = (await client.agentRuns.steps({ id: childId })).items.flatMap((step) => step.calls)
    expect(calls.map(({ tool, risk, state }) => [tool, risk, state])).toEqual([
      ['web_search', 'none', 'done'],
      ['web_fetch', 'none', 'done'],
    ])
    expect(JSON.stringify(first![at]!.output)).toContain(FACTS[river])
  }
  // Nobody was asked, and what the parts read is untrusted here too.
  expect((await client.approvals.list({ runId: id })).items).toEqual([])
  expect((await client.agentRuns.get({ id })).trust).toBe('untrusted')

  const files = await client.files.list({ projectId: project.id, limit: 100 })
  const file = files.items.find(({ name }) => name === 'Two rivers.md')!
  const { text } = await client.fileTexts.read({ id: file.id })
  for (const river of RIVERS) expect(text).toContain(sourceOf(river))
  const folders = files.items.filter(({ name }) => name === 'Web pages')
  expect(folders).toHaveLength(1)
  const { items: pages } = await client.files.list({ parentId: folders[0]!.id })
  expect(pages).toHaveLength(2)
  const canvas = JSON.stringify(await client.canvas.list({ projectId: project.id }))
  for (const river of RIVERS) expect(canvas).toContain(FACTS[river])

  const question = 'How many kilometres is the Rhine through Basel?'
  const page = pages.find(({ name }) => name.includes('rhine'))!
  const find = async () => (await client.passages.search({ q: question, within: page.id })).items[0]?.key
  await expect.poll(find, { timeout: 20_000, interval: 250 }).toBeDefined()
  const key = (await find())!
  const sent = await client.sessions.send({
    id: session.id,
    content: script(
      callLine('search_knowledge', { queries: [question] }),
      '---',
      `say It has 1233 kilometres [${key}], not 2000 [k9zzzz].`,
    ),
  })
  await expect.poll(() => ended(sent.run.id), { timeout: 20_000 }).toBe('succeeded')
  const { items: messages } = await client.sessions.messages({ id: session.id })
  const answer = messages.find(({ role, text: said }) => role === 'assistant' && said.includes('1233'))!
  expect(answer.text).toContain(`[${key}]`)
  expect(answer.text).not.toContain('k9zzzz')
  expect(answer.citations).toMatchObject([{ key, fileId: page.id, version: 1 }])
  expect(answer.citations[0]!.quote).toContain('1233 kilometres')
})
