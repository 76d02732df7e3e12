import { beforeAll, expect, test } from 'vitest'
import { seedNote } from '../../bench/seeds/seed-passages.ts'
import { markdownBlocks } from '../../markdown/text-blocks.ts'
import { saveFilePassages } from '../features/knowledge/passages/passages.ts'
import { createFileClient } from '../testing/clients/file-client.ts'
import { toolCall, useTool } from '../testing/clients/tool-calls.ts'
import { shareTestApp, type TestApp } from '../testing/test-app.ts'
import { citedPassages, searchKnowledge } from './search-knowledge.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function setUp() {
  const client = await createFileClient(app)
  const project = await app.project(client.person)
  const text = '# Notice\n\nTenants give three months of notice.'
  const { id } = await app
    .as(client.headers)
    .fileTexts.write({ name: 'lease.md', text, parentId: project.folderId })
  await app.sql.begin((sql) =>
    saveFilePassages(
      sql,
      client.person.orgId,
      { id, projectId: project.id, name: 'lease.md', version: 1 },
      { text: markdownBlocks(text) },
    ),
  )
  const call = toolCall(app, client.person, project.id)
  return { client, project, id, call }
}

const tool = searchKnowledge()

test('passages have keys, which stay the same and name what was read', async () => {
  const { call, id, project } = await setUp()
  const input = { queries: ['How much notice do tenants give?', 'notice period'] }
  const output = await useTool(tool, call, input)
  expect(output.passages).toHaveLength(1)
  expect(output).toMatchObject({
    outside: true,
    passages: [{ heading: 'Notice', source: { type: 'file', id, version: 1 } }],
  })
  expect(output.passages[0]!.key).toMatch(/^\[k[0-9a-z]{5}\]$/)
  expect(output.passages[0]!.text).toMatch(/^The lines between the two markers DATA-/)
  expect(await useTool(tool, call, input)).toEqual(output)
  expect(citedPassages(JSON.parse(JSON.stringify(output)))).toEqual([
    {
      key: output.passages[0]!.key.slice(1, -1),
      source: { type: 'file', id, name: 'lease.md', version: 1 },
      page: null,
      heading: 'Notice',
      from: 2,
      to: 46,
      projectId: project.id,
      quote: 'Notice\n\nTenants give three months of notice.',
    },
  ])
})

test('the caller’s own note is no outside text; a call without results says so', async () => {
  const { call, client, project } = await setUp()
  const { orgId, id: userId } = client.person
  await seedNote(
    app.sql,
    { orgId, projectId: project.id, userId },
    { title: '', text: 'The pelican is teal.' },
  )
  const found = await useTool(tool, call, { queries: ['pelican'] })
  expect([found.outside, found.passages[0]!.text]).toEqual([undefined, 'The pelican is teal.'])
  expect(await useTool(tool, call, { queries: ['giraffe'] })).toMatchObject({
    passages: [],
    note: expect.stringContaining('Nothing was found'),
  })
  expect(await useTool(searchKnowledge(['memory']), call, { queries: ['pelican'] })).toMatchObject({
    passages: [],
  })
})

test('an untrusted run searches its own project only', async () => {
  const { call, client } = await setUp()
  const other = await app.project(client.person)
  const untrusted = { ...call, trust: 'untrusted' as const }
  expect(await useTool(tool, untrusted, { queries: ['notice'], project: 'all' })).toMatchObject({
    passages: [{ heading: 'Notice' }],
  })
  await expect(useTool(tool, untrusted, { queries: ['notice'], project: other.id })).rejects.toThrow(
    'This run has read untrusted content, so it can only use its own project',
  )
})

test('an agent searches what it knows, wherever that is, and in an untrusted run only its project', async () => {
  const { call, client, id } = await setUp()
  const elsewhere = await app.project(client.person)
  const there = { ...call, projectId: elsewhere.id }
  const sourcesOf = async (input: object, options: object) => {
    const output = await useTool(tool, { ...there, ...options }, { queries: ['months of notice'], ...input })
    return output.passages.map(({ source }: { source: { id: string } }) => source.id)
  }
  expect(await sourcesOf({}, {})).toEqual([])
  expect(await sourcesOf({}, { knowledge: [id] })).toEqual([id])
  expect(await sourcesOf({}, { knowledge: [elsewhere.id] })).toEqual([])
  expect(await sourcesOf({ project: 'all' }, { knowledge: [elsewhere.id] })).toEqual([])
  expect(await sourcesOf({}, { knowledge: [id], trust: 'untrusted' })).toEqual([])
})
