import { beforeAll, describe, expect, test } from 'vitest'
import { createProjectClient, type ProjectClient } from '../../../testing/clients/project-client.ts'
import {
  createManifest,
  manifestBlock,
  manifestEdge,
  manifestFile,
  manifestSettings,
} from '../../../testing/factories/manifests.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let me: ProjectClient
beforeAll(async () => {
  app = await shareTestApp()
  me = await createProjectClient(app)
})

const EMPTY_PLAN = { create: [], update: [], delete: [], missingFiles: [] }

/** A project restored from a manifest with a note, a task and an edge between them. */
async function createRestoredProject() {
  const project = await me.project()
  const [note, task] = [
    manifestBlock({ title: 'Note' }),
    manifestBlock({ type: 'task', content: 'Do it\nsoon' }),
  ]
  const edge = manifestEdge(note, task)
  const manifest = createManifest({ blocks: [note, task], edges: [edge] })
  const { snapshotId } = await me.restore(project.id, manifest)
  return { project, note, task, edge, manifest, snapshotId }
}

describe('POST /projects/:id/restore', () => {
  test('Rule 10: makes only a plan with dryRun=true, and otherwise applies it', async () => {
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

  test('changes nothing if the same manifest is restored again', async () => {
    const { project, manifest } = await createRestoredProject()
    const { plan } = await me.restore(project.id, manifest)
    expect(plan).toEqual({ ...EMPTY_PLAN, unchanged: 4 })
  })

  test('merges by default; mode=replace deletes blocks and edges the manifest lacks, but no file', async () => {
    const { project, note, task, edge } = await createRestoredProject()
    await me.put('existing', 'existing.txt', project.folderId)
    const [moved, added] = [{ ...note, x: 40, title: 'New' }, manifestBlock()]
    const next = createManifest({ blocks: [moved, added], edges: [manifestEdge(moved, added)] })
    const merged = await me.restore(project.id, next, { dryRun: 'true' })
    expect(merged.plan).toMatchObject({
      create: [{ id: added.id }, { kind: 'edge' }],
      update: [{ kind: 'block', id: note.id, title: 'New', fields: ['x', 'title'] }],
      delete: [],
    })
    const { plan } = await me.restore(project.id, next, { mode: 'replace' })
    expect(plan.delete).toEqual([
      { kind: 'block', id: task.id, title: 'Do it' },
      { kind: 'edge', id: edge.id, title: 'New → Do it' },
    ])
    const { files, ...after } = await me.manifestOf(project.id)
    expect(after.blocks.map(({ id }) => id).toSorted()).toEqual([note.id, added.id].toSorted())
    expect(files.map(({ path }) => path)).toEqual(['existing.txt'])
  })

  test("updates an edge's end and turns a group into a note, releasing its blocks", async () => {
    const { project, note, task, edge } = await createRestoredProject()
    const [group, third] = [manifestBlock({ type: 'group' }), manifestBlock()]
    const inside = manifestBlock({ parentId: group.id })
    await me.restore(project.id, createManifest({ blocks: [group, inside, third] }))
    const blocks = [note, task, third, { ...group, type: 'note' as const }]
    const { plan } = await me.restore(
      project.id,
      createManifest({ blocks, edges: [{ ...edge, toBlockId: third.id }] }),
    )
    expect(plan.update).toMatchObject([
      { id: group.id, fields: ['type'] },
      { id: inside.id, fields: ['parentId'] },
      { id: edge.id, fields: ['toBlockId'] },
    ])
    const after = await me.manifestOf(project.id)
    expect(after.edges).toEqual([{ ...edge, toBlockId: third.id }])
    expect(after.blocks).toContainEqual({ ...inside, parentId: null })
  })

  test('is CONFLICT if the project, manifest or mode has changed since the plan', async () => {
    const { project, note, manifest } = await createRestoredProject()
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

  test('can be reverted exactly with its snapshot', async () => {
    const { project } = await createRestoredProject()
    const before = await me.manifestOf(project.id)
    const replacement = createManifest({ blocks: [manifestBlock({ type: 'group' })] })
    const { snapshotId } = await me.restore(project.id, replacement, { mode: 'replace' })
    await me.client.canvas.restoreSnapshot({ projectId: project.id, snapshotId })
    const after = await me.manifestOf(project.id)
    expect([after.blocks, after.edges]).toEqual([before.blocks, before.edges])
    const { items } = await me.client.canvas.snapshots({ projectId: project.id })
    expect(items).toContainEqual(expect.objectContaining({ id: snapshotId, reason: 'restore' }))
  })

  test("never changes the project's visibility", async () => {
    const { id } = await me.project({ visibility: 'private' })
    await me.restore(id, createManifest({ project: manifestSettings({ status: 'archived' }) }))
    const after = await me.client.projects.get({ id })
    expect(after).toMatchObject({ visibility: 'private', status: 'archived' })
    const manifest = createManifest({ project: { ...manifestSettings(), visibility: 'team' } as never })
    expect(await me.refusal(id, manifest)).toEqual([400, 'body.project.visibility is not a known field'])
  })

  test('is FORBIDDEN for viewers, including dryRun, and NOT_FOUND without access', async () => {
    const { id, workspaceIds } = await me.project()
    const viewer = await createProjectClient(app, { colleagueOf: me.person })
    await app.setWorkspaceRole(viewer.person, workspaceIds[0]!, 'viewer')
    for (const query of [{ dryRun: 'true' as const }, {}])
      await expect(viewer.restore(id, createManifest(), query)).rejects.toMatchObject({ reason: 'view_only' })
    const stranger = await createProjectClient(app)
    await expect(stranger.restore(id, createManifest())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('manifest files', () => {
  test('are reported missing, and their blocks restored without them, until uploaded', async () => {
    const { id, folderId } = await me.project()
    const file = manifestFile('missing content', { path: 'Drafts/plan.txt' })
    const shown = manifestBlock({ type: 'file', fileId: file.id })
    const manifest = createManifest({ files: [file], blocks: [shown] })
    const { plan } = await me.restore(id, manifest)
    expect(plan.missingFiles).toEqual([file])
    expect((await me.manifestOf(id)).blocks).toEqual([{ ...shown, fileId: null }])

    await me.put('missing content', 'plan.txt', await me.folder('Drafts', folderId))
    const again = await me.restore(id, manifest)
    expect(again.plan).toMatchObject({ update: [{ id: shown.id, fields: ['fileId'] }], missingFiles: [] })
    const after = await me.manifestOf(id)
    expect(after.blocks[0]!.fileId).toBe(after.files[0]!.id)
  })

  test('are added without copying bytes if the caller can read a file with that content', async () => {
    const [from, to] = [await me.project(), await me.project()]
    const { id } = await me.put('shared content', 'plan.txt', from.folderId)
    const file = manifestFile('shared content', { path: 'a/b/plan.txt' })
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
