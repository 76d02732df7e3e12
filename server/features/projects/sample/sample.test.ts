import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENGLISH } from '../../../language-models/test-models/recordings/english.ts'
import { buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

/** The recording has pauses, so that people can follow it. */
const LONG = { timeout: 20_000 }

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

test('a sample project has a canvas, a file, an agent that runs and an answered conversation', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const client = await app.withSession(owner)
  const { project, sessionId, agentBlockId } = await client.projects.sample()
  expect(project).toMatchObject({ name: 'Sample: Coffee subscription', visibility: 'private', canEdit: true })
  const { items, edges } = await client.canvas.list({ projectId: project.id })
  expect(
    Object.fromEntries([...Map.groupBy(items, ({ type }) => type)].map(([type, of]) => [type, of.length])),
  ).toEqual({
    ...{ agent: 3, file: 2, group: 2, note: 3, task: 3, table: 1 },
  })
  expect(edges.filter(({ toBlockId }) => toBlockId === agentBlockId)).toHaveLength(3)
  const { text } = ENGLISH.file
  expect(items.find(({ title }) => title === 'interviews.md')!.metadata).toEqual({
    mimeType: 'text/markdown',
    size: Buffer.byteLength(text),
  })
  const { items: files } = await client.files.list({ projectId: project.id })
  expect(files.map(({ name, mimeType }) => [name, mimeType]).toSorted()).toEqual([
    ['interviews.md', 'text/markdown'],
    ['invoices.csv', 'text/csv'],
  ])

  const answer = async () => (await client.sessions.messages({ id: sessionId! })).items[0]!.text
  await expect.poll(answer, LONG).toContain('Act on **skipping** first.')
  await client.agentBlocks.run({ projectId: project.id, blockId: agentBlockId! })
  const open = async () => (await client.approvals.list({})).items
  await expect.poll(async () => (await open()).length, LONG).toBe(1)
  const [approval] = await open()
  expect(approval).toMatchObject({
    tool: 'write_file',
    summary: 'Write the file summary.md',
    canApprove: true,
  })
  await client.approvals.decide({ id: approval!.id, decision: 'approve' })
  const output = async () =>
    (await client.canvas.list({ projectId: project.id })).items.find(({ id }) => id === agentBlockId)!
      .metadata.output
  await expect.poll(output, LONG).toContain('Start with choice')
  const drawn = await client.canvas.list({ projectId: project.id })
  expect(drawn.items.filter(({ type }) => type === 'note').map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Fresh beats cheap', 'Skipping matters', 'The first bag decides']),
  )
  expect((await client.files.list({ projectId: project.id })).items.map(({ name }) => name)).toContain(
    'summary.md',
  )

  const again = await client.projects.sample()
  expect(again.project.id).not.toBe(project.id)
  const agents = await client.agents.list({ q: 'Researcher' })
  expect(agents.items).toHaveLength(1)
})

test('a sample project checks 200 invoices row by row, marks the odd ones with a chart, and one undo takes it back', async () => {
  const owner = await app.person(await app.organization(), { role: 'owner' })
  const client = await app.withSession(owner)
  const { project } = await client.projects.sample()
  const projectId = project.id
  const canvas = async () => (await client.canvas.list({ projectId })).items
  const [table] = (await client.tables.list({ projectId })).items
  const odd = async () =>
    (
      await client.tables.rows({
        id: table!.id,
        filter: JSON.stringify({ column: 'check', op: 'eq', value: 'odd' }),
        limit: 100,
      })
    ).items
  const before = await canvas()
  const filesBefore = (await client.files.list({ projectId })).items.map(({ name }) => name).toSorted()
  expect(table).toMatchObject({ name: 'Invoices', rowCount: 200 })
  expect(await odd()).toEqual([])

  const check = before.find(({ title }) => title === 'Check each invoice')!
  const { run } = await client.agentBlocks.run({ projectId, blockId: check.id })
  const finishedAt = async () => (await client.agentRuns.get({ id: run.id })).finishedAt
  await expect.poll(finishedAt, { timeout: 120_000, interval: 500 }).not.toBeNull()
  expect(await client.agentRuns.get({ id: run.id })).toMatchObject({ status: 'succeeded', error: null })
  expect((await client.forEach.lists({ id: run.id })).items[0]).toMatchObject({
    total: 200,
    done: 200,
    failed: 0,
  })
  expect((await odd()).map(({ values }) => [values.number, values.reason])).toEqual([
    ['2026-023', 'Net and tax don’t add up'],
    ['2026-058', 'Tax isn’t 20%'],
    ['2026-079', 'Due before its date'],
    ['2026-094', 'Unusually large'],
    ['2026-121', 'Net and tax don’t add up'],
    ['2026-147', 'Tax isn’t 20%'],
    ['2026-166', 'Due before its date'],
    ['2026-188', 'Net and tax don’t add up'],
  ])
  const added = (await canvas()).filter(({ id }) => before.every((block) => block.id !== id))
  expect(
    added
      .filter(({ type }) => type === 'note')
      .map(({ title }) => title!.slice(0, 8))
      .toSorted(),
  ).toEqual((await odd()).map(({ values }) => values.number))
  expect(added.filter(({ type }) => type === 'image')).toMatchObject([
    { title: 'Invoices by supplier, in euros' },
  ])
  expect((await client.files.list({ projectId })).items.map(({ name }) => name)).toContain(
    'invoices-by-supplier.svg',
  )

  await client.agentRuns.undo({ id: run.id })
  expect((await canvas()).map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
  expect(await odd()).toEqual([])
  expect((await client.files.list({ projectId })).items.map(({ name }) => name).toSorted()).toEqual(
    filesBefore,
  )
}, 150_000)

test('sample projects that are created at the same time share their agent', async () => {
  const owner = await app.person(await app.organization(), { role: 'owner' })
  const client = await app.withSession(owner)
  await Promise.all(Array.from({ length: 4 }, () => client.projects.sample()))
  expect((await client.agents.list({ q: 'Researcher' })).items).toHaveLength(1)
})

test('a sample project has no agent without test models, and is refused to viewers', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const client = await app.withSession(owner)
  await client.orgSettings.update({ models: { owner: ['openai/*'] } })
  const { project, sessionId, agentBlockId } = await client.projects.sample()
  expect([sessionId, agentBlockId]).toEqual([null, null])
  const { items } = await client.canvas.list({ projectId: project.id })
  expect(items.filter(({ type }) => type === 'agent')).toEqual([])
  expect((await client.tables.list({ projectId: project.id })).items).toEqual([])

  const viewer = await app.person(org)
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  const before = await app.sql`select count(*) from objects where org_id = ${org.id}`
  const { status, body } = await app.request('POST', '/api/v1/projects/sample', {
    headers: cookie(await app.session(viewer)),
  })
  expect([status, body.error.details.reason]).toEqual([403, 'view_only'])
  await expect.poll(() => app.sql`select count(*) from objects where org_id = ${org.id}`).toEqual(before)
})

test('a sample project is in the language of the page', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const { body } = await app.request('POST', '/api/v1/projects/sample', {
    headers: { cookie: `${cookie(await app.session(owner)).cookie}; atrium_language=de` },
  })
  expect(body.project.name).toBe('Beispiel: Kaffee-Abo')
})
