import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProjectClient, type ProjectClient } from '../../testing/clients/project-client.ts'
import {
  createManifest,
  manifestBlock,
  manifestEdge,
  manifestFile,
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

const NOTHING = { create: [], update: [], delete: [], missingFiles: [] }

/** A project with a note, a task and what joins them, and the manifest it was made from. */
async function drawn() {
  const project = await me.project()
  const [note, task] = [
    manifestBlock({ title: 'Note' }),
    manifestBlock({ type: 'task', content: 'Do it\nsoon' }),
  ]
  const line = manifestEdge(note, task)
  const manifest = createManifest({ blocks: [note, task], edges: [line] })
  const { snapshotId } = await me.restore(project.id, manifest)
  return { project, note, task, line, manifest, snapshotId }
}

describe('restoring', () => {
  test('Rule 10: restore with dryRun=true only plans; without it the restore is applied', async () => {
    const { id, name } = await me.project()
    const [note, task] = [
      manifestBlock({ title: 'Note' }),
      manifestBlock({ type: 'task', content: 'Do it\nsoon' }),
    ]
    const manifest = createManifest({ blocks: [note, task], edges: [manifestEdge(note, task)] })
    const before = await me.manifestOf(id)
    const planned = await me.restore(id, manifest, { dryRun: 'true' })
    expect(planned.plan).toEqual({
      create: [
        { kind: 'block', id: note.id, title: 'Note' },
        { kind: 'block', id: task.id, title: 'Do it' },
        { kind: 'edge', id: manifest.edges[0]!.id, title: 'Note → Do it' },
      ],
      update: [{ kind: 'project', id, title: 'Restored', fields: ['name'] }],
      delete: [],
      unchanged: 0,
      missingFiles: [],
    })
    expect(await me.manifestOf(id)).toMatchObject({ checksum: before.checksum, project: { name } })

    const applied = await me.restore(id, manifest, { planHash: planned.planHash })
    expect(applied).toMatchObject({ dryRun: false, plan: planned.plan, planHash: planned.planHash })
    expect(await me.manifestOf(id)).toMatchObject({
      counts: { blocks: 2, edges: 1 },
      project: { name: 'Restored' },
    })
  })

  test('twice changes nothing the second time', async () => {
    const { project, manifest } = await drawn()
    const { plan } = await me.restore(project.id, manifest)
    expect(plan).toEqual({ ...NOTHING, unchanged: 4 })
  })

  test('merges by default; with mode=replace what the manifest lacks goes, but never a file', async () => {
    const { project, note, task, line } = await drawn()
    await me.put('kept', 'kept.txt', project.folderId)
    const [moved, fresh] = [{ ...note, x: 40, title: 'New' }, manifestBlock()]
    const next = createManifest({ blocks: [moved, fresh], edges: [manifestEdge(moved, fresh)] })
    const merged = await me.restore(project.id, next, { dryRun: 'true' })
    expect(merged.plan).toMatchObject({
      create: [{ id: fresh.id }, { kind: 'edge' }],
      update: [{ kind: 'block', id: note.id, title: 'New', fields: ['x', 'title'] }],
      delete: [],
    })
    const { plan } = await me.restore(project.id, next, { mode: 'replace' })
    expect(plan.delete).toEqual([
      { kind: 'block', id: task.id, title: 'Do it' },
      { kind: 'edge', id: line.id, title: 'New → Do it' },
    ])
    const { files, ...after } = await me.manifestOf(project.id)
    expect(after.blocks.map(({ id }) => id).toSorted()).toEqual([note.id, fresh.id].toSorted())
    expect(files.map(({ path }) => path)).toEqual(['kept.txt'])
  })

  test('a connection that joins other blocks, and a group that is none any more, are made so', async () => {
    const { project, note, task, line } = await drawn()
    const [group, third] = [manifestBlock({ type: 'group' }), manifestBlock()]
    const inside = manifestBlock({ parentId: group.id })
    await me.restore(project.id, createManifest({ blocks: [group, inside, third] }))
    const blocks = [note, task, third, { ...group, type: 'note' as const }]
    const { plan } = await me.restore(
      project.id,
      createManifest({ blocks, edges: [{ ...line, toBlockId: third.id }] }),
    )
    expect(plan.update).toMatchObject([
      { id: group.id, fields: ['type'] },
      { id: inside.id, fields: ['parentId'] },
      { id: line.id, fields: ['toBlockId'] },
    ])
    const after = await me.manifestOf(project.id)
    expect(after.edges).toEqual([{ ...line, toBlockId: third.id }])
    expect(after.blocks).toContainEqual({ ...inside, parentId: null })
  })

  test('is CONFLICT when the project has changed since the plan, or the manifest is another', async () => {
    const { project, note, manifest } = await drawn()
    const next = createManifest({ blocks: [{ ...note, x: 1 }] })
    const { planHash } = await me.restore(project.id, next, { dryRun: 'true' })
    const other = createManifest({ blocks: [{ ...note, x: 2 }] })
    await expect(me.restore(project.id, other, { planHash })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(me.restore(project.id, next, { planHash, mode: 'replace' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await me.restore(project.id, createManifest({ blocks: [{ ...note, y: 5 }] }))
    await expect(me.restore(project.id, next, { planHash })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await me.manifestOf(project.id)).blocks).toContainEqual({ ...manifest.blocks[0], y: 5 })
  })

  test('can be undone from its snapshot, exactly', async () => {
    const { project } = await drawn()
    const before = await me.manifestOf(project.id)
    const replacement = createManifest({ blocks: [manifestBlock({ type: 'group' })] })
    const { snapshotId } = await me.restore(project.id, replacement, { mode: 'replace' })
    await me.client.canvas.restoreSnapshot({ projectId: project.id, snapshotId })
    const after = await me.manifestOf(project.id)
    expect([after.blocks, after.edges]).toEqual([before.blocks, before.edges])
    const { items } = await me.client.canvas.snapshots({ projectId: project.id })
    expect(items).toContainEqual(expect.objectContaining({ id: snapshotId, reason: 'restore' }))
  })

  test('never changes who may see the project', async () => {
    const { id } = await me.project({ visibility: 'private' })
    await me.restore(id, createManifest({ project: manifestSettings({ status: 'archived' }) }))
    const after = await me.client.projects.get({ id })
    expect(after).toMatchObject({ visibility: 'private', status: 'archived' })
    const sneaky = createManifest({ project: { ...manifestSettings(), visibility: 'team' } as never })
    expect(await me.refusal(id, sneaky)).toEqual([400, 'body.project.visibility is not a known field'])
  })

  test('is for those who may edit, the plan too', async () => {
    const { id, workspaceIds } = await me.project()
    const viewer = await createProjectClient(app, { beside: me.person })
    await app.seat(viewer.person, workspaceIds[0]!, 'viewer')
    for (const query of [{ dryRun: 'true' as const }, {}])
      await expect(viewer.restore(id, createManifest(), query)).rejects.toMatchObject({ reason: 'view_only' })
    const stranger = await createProjectClient(app)
    await expect(stranger.restore(id, createManifest())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('files', () => {
  test('that are nowhere here are named, and their blocks come without them until they are', async () => {
    const { id, folderId } = await me.project()
    const file = manifestFile('nobody has this', { path: 'Drafts/plan.txt' })
    const shown = manifestBlock({ type: 'file', fileId: file.id })
    const manifest = createManifest({ files: [file], blocks: [shown] })
    const { plan } = await me.restore(id, manifest)
    expect(plan.missingFiles).toEqual([file])
    expect((await me.manifestOf(id)).blocks).toEqual([{ ...shown, fileId: null }])

    await me.put('nobody has this', 'plan.txt', await me.folder('Drafts', folderId))
    const again = await me.restore(id, manifest)
    expect(again.plan).toMatchObject({ update: [{ id: shown.id, fields: ['fileId'] }], missingFiles: [] })
    const after = await me.manifestOf(id)
    expect(after.blocks[0]!.fileId).toBe(after.files[0]!.id)
  })

  test('whose bytes are anywhere the caller can see are added to the folder, on the same bytes', async () => {
    const [from, to] = [await me.project(), await me.project()]
    const { id } = await me.put('known', 'plan.txt', from.folderId)
    const file = manifestFile('known', { path: 'a/b/plan.txt' })
    await me.restore(
      to.id,
      createManifest({ files: [file, { ...file, id: manifestBlock().id, path: 'a/plan.txt' }] }),
    )
    const { files } = await me.manifestOf(to.id)
    expect(files.map(({ path }) => path)).toEqual(['a/b/plan.txt', 'a/plan.txt'])
    const keys = await app.sql<{ key: string }[]>`
      select distinct object_key as key from files
      where org_id = ${me.person.orgId} and (id = ${id} or sha256 = decode(${file.sha256}, 'hex'))`
    expect(keys).toHaveLength(1)
  })
})
