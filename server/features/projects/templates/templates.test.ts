import { beforeAll, expect, test } from 'vitest'
import { TEMPLATES_MAX } from '../../../../contract/projects/list-options.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { SHIPPED } from './shipped/shipped.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

type Client = Awaited<ReturnType<TestApp['withSession']>>

/** The content of a canvas without ids. */
async function canvasOf(client: Client, projectId: string) {
  const { items, edges } = await client.canvas.list({ projectId })
  const titles = new Map(items.map(({ id, title }) => [id, title]))
  return {
    blocks: items
      .map(({ type, title, x, y, parentId, fileId, metadata }) => {
        const parent = parentId && titles.get(parentId)
        return { type, title, x, y, parent, fileId, metadata }
      })
      .sort((a, b) => a.y - b.y || a.x - b.x),
    edges: edges.map((edge) => [titles.get(edge.fromBlockId), titles.get(edge.toBlockId)]).sort(),
  }
}

test('every shipped template becomes a project with its canvas and instructions', async () => {
  const { client } = await app.newUser()
  const { items } = await client.templates.list()
  expect(items.map(({ id, source }) => [id, source])).toEqual(SHIPPED.map(({ id }) => [id, 'shipped']))
  for (const { id, name, prompt, canvas } of SHIPPED) {
    const project = await client.templates.start({ template: id })
    expect(project).toMatchObject({ name, prompt, status: 'active', visibility: 'team' })
    const { blocks, edges } = await canvasOf(client, project.id)
    expect([blocks.length, edges.length]).toEqual([canvas.blocks.length, canvas.edges.length])
    expect(edges.flat()).not.toContain(undefined)
  }
  await expect(client.templates.remove({ id: 'research' })).rejects.toThrow('cannot be changed')
  await expect(client.templates.start({ template: 'unknown' })).rejects.toThrow('Template not found')
  await expect(client.templates.start({ name: 'Neither' })).rejects.toThrow(
    'must have either template or projectId',
  )
})

test('a template copies the canvas for the organization only, without files, runs, memory or metadata', async () => {
  const { org, person, client } = await app.newUser()
  const project = await client.projects.create({ name: 'Original', prompt: 'Be kind', emoji: '🌱' })
  await client.projects.update({ id: project.id, metadata: { secret: 'x' }, tags: ['a'] })
  const projectId = project.id
  const group = await client.canvas.create({
    projectId,
    type: 'group',
    title: 'Group',
    width: 600,
    height: 600,
  })
  const note = await client.canvas.create({
    projectId,
    type: 'note',
    title: 'Note',
    parentId: group.id,
    y: 10,
  })
  const agent = await client.canvas.create({ projectId, type: 'agent', title: 'Agent', x: 400, y: 20 })
  await client.canvas.connect({ projectId, fromBlockId: note.id, toBlockId: agent.id })
  await app.sql`
    update blocks set metadata = '{"agentId": null, "runId": "r", "sessionId": "s", "output": "answer"}'
    where project_id = ${projectId} and id = ${agent.id}`

  const template = await client.templates.create({ projectId, description: 'For us' })
  expect(template).toMatchObject({ name: 'Original', source: 'organization', blockCount: 3, canEdit: true })
  await client.canvas.remove({ projectId, blockId: note.id })
  const started = await client.templates.start({ template: template.id, name: 'Copy' })
  expect(started).toMatchObject({ name: 'Copy', prompt: 'Be kind', emoji: '🌱', tags: ['a'], metadata: {} })
  const copy = await canvasOf(client, started.id)
  expect(copy.blocks.map(({ title, parent }) => [title, parent])).toEqual([
    ['Group', null],
    ['Note', 'Group'],
    ['Agent', null],
  ])
  expect(copy.blocks[2]!.metadata).toEqual({ agentId: null })
  expect(copy.edges).toEqual([['Note', 'Agent']])
  const fromProject = await client.templates.start({ projectId: project.slug, name: 'From project' })
  expect((await canvasOf(client, fromProject.id)).blocks).toHaveLength(2)

  const [viewer, colleague] = [await app.person(org), await app.person(org)]
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  const other = await app.withSession(colleague)
  expect((await other.templates.list()).items[0]).toMatchObject({ id: template.id, canEdit: false })
  await expect(other.templates.update({ id: template.id, name: 'Mine' })).rejects.toThrow(
    'Only this template’s creator',
  )
  await expect((await app.withSession(viewer)).templates.create({ projectId })).rejects.toThrow('view-only')
  const secret = await client.projects.create({ name: 'Secret', visibility: 'private' })
  await expect(other.templates.create({ projectId: secret.id })).rejects.toThrow('Project not found')
  await expect(other.templates.start({ projectId: secret.id })).rejects.toThrow('Project not found')
  const stranger = await app.newUser()
  expect((await stranger.client.templates.list()).items.map(({ id }) => id)).not.toContain(template.id)
  await expect(stranger.client.templates.start({ template: template.id })).rejects.toThrow(
    'Template not found',
  )

  expect(await client.templates.update({ id: template.id, name: 'New name', projectId })).toMatchObject({
    name: 'New name',
    description: 'For us',
    blockCount: 2,
  })
  await app.sql`
    insert into project_templates (org_id, id, name, canvas, shapes, block_count, created_by, created_at, updated_at)
    select ${org.id}, gen_random_uuid(), 'x', '{}', '[]', 0, ${person.id}, now(), now() from generate_series(2, ${TEMPLATES_MAX})`
  await expect(client.templates.create({ projectId })).rejects.toThrow(`can have ${TEMPLATES_MAX} templates`)
  expect(await client.templates.remove({ id: template.id })).toEqual({ deleted: true })
  expect((await client.projects.get({ id: started.id })).name).toBe('Copy')
})

test("the audit log has a template's name only if its creator entered it", async () => {
  const org = await app.organization()
  const client = await app.withSession(await app.person(org, { role: 'owner' }))
  const project = await client.projects.create({ name: 'Secret merger', visibility: 'private' })
  const template = await client.templates.create({ projectId: project.id })
  await client.templates.update({ id: template.id, description: 'For mergers' })
  await client.templates.update({ id: template.id, name: 'Merger' })
  await client.templates.remove({ id: template.id })
  const rows = await app.sql<{ action: string; name: string | null }[]>`
    select action, details ->> 'name' as name from audit
    where org_id = ${org.id} and action like 'template.%' order by id`
  expect(rows.map(({ action, name }) => [action, name])).toEqual([
    ['template.created', null],
    ['template.updated', null],
    ['template.updated', 'Merger'],
    ['template.deleted', null],
  ])
})

test('a template has tables with columns and views, which blocks show, and no rows', async () => {
  const { client } = await app.newUser()
  const { id: projectId } = await client.projects.create({ name: 'Sales' })
  const customers = await client.tables.create({ projectId, name: 'Customers', key: 'name' })
  const table = await client.tables.create({
    projectId,
    name: 'Orders',
    columns: [{ name: 'Customer', type: 'link', target: 'row', tableId: customers.id }],
  })
  await client.tables.upsert({ id: customers.id, rows: [{ values: { name: 'Private' } }] })
  const view = await client.tables.createView({ id: table.id, name: 'All', settings: {} })
  const metadata = { tableId: table.id, viewId: view.id }
  await client.canvas.create({ projectId, type: 'table', metadata })
  const { id: template } = await client.templates.create({ projectId })
  await client.tables.remove({ id: table.id })
  for (const input of [{ template }, { template }]) {
    const started = await client.templates.start(input)
    const { items } = await client.tables.list({ projectId: started.id })
    expect(items.map(({ name, key, rowCount }) => [name, key, rowCount])).toEqual([
      ['Customers', 'name', 0],
      ['Orders', null, 0],
    ])
    const [copiedCustomers, orders] = items
    expect(orders!.columns).toMatchObject([{ target: 'row', tableId: copiedCustomers!.id }])
    const views = (await client.tables.views({ id: orders!.id })).items
    expect(views).toMatchObject([{ name: 'All' }])
    const [block] = (await canvasOf(client, started.id)).blocks
    expect(block!.metadata).toEqual({ tableId: orders!.id, viewId: views[0]!.id })
    expect(orders!.id).not.toBe(table.id)
  }
})
