import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectClient, type ProjectClient } from '../../testing/clients/project-client.ts'
import {
  createManifest,
  manifestBlock,
  manifestEdge,
  manifestSettings,
} from '../../testing/factories/manifests.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let me: ProjectClient
beforeAll(async () => {
  app = await buildTestApp()
  me = await createProjectClient(app)
})
afterAll(() => app.close())

/** With a file in a folder, shown by a block in a group, which is connected. */
async function drawn(given: Parameters<ProjectClient['project']>[0] = {}) {
  const project = await me.project(given)
  const { id: fileId } = await me.put('draft', 'plan.md', await me.folder('Drafts', project.folderId))
  const { files } = await me.manifestOf(project.id)
  const group = manifestBlock({ type: 'group', title: 'Press' })
  const shown = manifestBlock({ type: 'file', fileId: files[0]!.id, parentId: group.id, metadata: { a: 1 } })
  const text = manifestSettings({
    name: project.name,
    prompt: 'Be brief.',
    tags: ['x'],
    metadata: { b: 2 },
    status: 'archived',
  })
  const canvas = { blocks: [group, shown], edges: [manifestEdge(group, shown, 'shows')] }
  await me.restore(project.id, createManifest({ project: text, files, ...canvas }))
  return { ...project, fileId }
}

test('Rule 9: duplicate clones canvas blocks and project files, not chat sessions', async () => {
  const original = await drawn({ name: 'Launch' })
  const clone = await me.client.projects.duplicate({ id: original.slug })
  expect(clone).toMatchObject({
    name: 'Launch (copy)',
    userId: me.person.id,
    prompt: 'Be brief.',
    tags: ['x'],
    metadata: { b: 2 },
    status: 'active',
    visibility: 'team',
    workspaceId: original.workspaceIds[0],
  })
  const [before, after] = [await me.manifestOf(original.id), await me.manifestOf(clone.id)]
  expect(after.files).toEqual(before.files)
  expect(after.counts).toEqual(before.counts)

  const [group, shown] = ['group', 'file'].map((type) => after.blocks.find((one) => one.type === type)!)
  const old = (type: string) => before.blocks.find((one) => one.type === type)!
  expect(group).toEqual({ ...old('group'), id: group!.id })
  expect(shown).toEqual({ ...old('file'), id: shown!.id, parentId: group!.id })
  expect(after.edges).toEqual([
    { id: expect.any(String), fromBlockId: group!.id, toBlockId: shown!.id, label: 'shows' },
  ])
  const ids = [...after.blocks, ...after.edges].map(({ id }) => id)
  expect([...before.blocks, ...before.edges].some(({ id }) => ids.includes(id))).toBe(false)

  const [record] = await app.sql<{ fileId: string }[]>`
    select file_id as "fileId" from blocks
    where org_id = ${me.person.orgId} and project_id = ${clone.id} and file_id is not null`
  expect(record!.fileId).not.toBe(original.fileId)
  const of = (id: string) => me.client.files.get({ id })
  const [copy, source] = [await of(record!.fileId), await of(original.fileId)]
  expect(copy).toMatchObject({ projectId: clone.id, sha256: source.sha256 })
  expect(copy.ancestors.map(({ name }) => name)).toEqual(['Launch (copy)', 'Drafts'])
  const [kept] = await app.sql<{ runs: number; shares: number; snapshots: number }[]>`
    select (select count(*) from runs where project_id = ${clone.id}) as runs,
      (select count(*) from project_shares where project_id = ${clone.id}) as shares,
      (select count(*) from snapshots where project_id = ${clone.id}) as snapshots`
  expect(kept).toEqual({ runs: 0, shares: 0, snapshots: 0 })
})

test('a long name is cut so that it is still told to be a copy', async () => {
  const { id } = await me.project({ name: '🚀'.repeat(255) })
  expect((await me.client.projects.duplicate({ id })).name).toBe(`${'🚀'.repeat(248)} (copy)`)
})

test('a private project is duplicated in private, by its creator only', async () => {
  const { id } = await me.project({ visibility: 'private' })
  expect(await me.client.projects.duplicate({ id })).toMatchObject({ visibility: 'private' })
  const other = await createProjectClient(app, { beside: me.person, role: 'owner' })
  await expect(other.client.projects.duplicate({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('whoever may only look gets a copy in the workspace where they work', async () => {
  const elsewhere = await app.workspace({ id: me.person.orgId })
  const original = await me.project({ workspaceIds: [elsewhere] })
  const viewer = await createProjectClient(app, { beside: me.person })
  await app.seat(viewer.person, elsewhere, 'viewer')
  await app.seat(me.person, elsewhere, 'editor')
  const theirs = await viewer.client.projects.duplicate({ id: original.id })
  expect(theirs.workspaceId).not.toBe(elsewhere)
  expect(theirs).toMatchObject({ userId: viewer.person.id, canEdit: true })
  expect(await me.client.projects.duplicate({ id: original.id })).toMatchObject({ workspaceId: elsewhere })
})

test('asked twice with one Idempotency-Key, it is duplicated once', async () => {
  const { id } = await me.project({ name: 'Once' })
  const ask = () => me.client.projects.duplicate({ id }, { idempotencyKey: 'once' })
  const [first, second] = [await ask(), await ask()]
  expect(second).toEqual(first)
  expect((await me.client.projects.list({ search: 'Once (copy)' })).items).toHaveLength(1)
})

test('a copy of what is being drawn on is whole', async () => {
  const { id } = await drawn()
  const draw = (x: number) =>
    me.restore(id, createManifest({ blocks: [manifestBlock({ x }), manifestBlock({ x })] }))
  const clones = await Promise.all(
    [1, 2, 3].flatMap((x) => [draw(x).then(() => null), me.client.projects.duplicate({ id })]),
  )
  for (const clone of clones) {
    if (!clone) continue
    const { counts } = await me.manifestOf(clone.id)
    expect([counts.blocks % 2, counts.edges]).toEqual([0, 1])
  }
})
