import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../../contract/canonical-json.ts'
import { sha256 } from '../../../security/digest.ts'
import { createProjectClient, type ProjectClient } from '../../../testing/clients/project-client.ts'
import { randomCanvas } from '../../../testing/factories/canvases.ts'
import {
  createManifest,
  manifestBlock,
  manifestEdge,
  manifestSettings,
} from '../../../testing/factories/manifests.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let me: ProjectClient
beforeAll(async () => {
  app = await shareTestApp()
  me = await createProjectClient(app)
})

/** One block of each type; the file block shows this file. */
function canvasWith(fileId: string | null) {
  const group = manifestBlock({
    type: 'group',
    title: 'Press',
    x: -10.5,
    width: 900,
    height: 600,
    color: 'teal',
  })
  const note = manifestBlock({
    title: 'Call',
    content: 'the *printer*',
    x: 0.1 + 0.2,
    zIndex: 3,
    parentId: group.id,
  })
  const file = manifestBlock({ type: 'file', fileId, rotation: -12.25, parentId: group.id })
  const link = manifestBlock({
    type: 'link',
    content: 'https://example.com/',
    color: '#A1B2C3',
    locked: true,
  })
  const task = manifestBlock({
    type: 'task',
    metadata: { b: [1e21, -0, 5e-7], a: { é: null, '\u{1f600}': '"\\' } },
  })
  return {
    blocks: [group, note, file, link, task],
    edges: [manifestEdge(note, link, 'because'), manifestEdge(link, group)],
  }
}

describe('a restored export', () => {
  test('exports again with the same checksum from an empty project, with files matched by hash', async () => {
    const full = await me.project()
    const deep = await me.folder('..', await me.folder('100% / sure', full.folderId))
    for (const content of ['one', 'one', 'two']) await me.put(content, 'plan.txt', full.folderId)
    await me.put('three', 'a∕b.md', deep)
    const { files } = await me.manifestOf(full.id)
    const settings = manifestSettings({
      name: 'Großer Plan 🚀',
      description: 'all of it',
      prompt: ' Be brief. ',
      emoji: '🚀',
      status: 'completed',
      tags: ['b', 'a'],
      metadata: { budget: 12.5, deep: { er: [true] } },
    })
    await me.restore(full.id, createManifest({ project: settings, files, ...canvasWith(files[2]!.id) }))
    const first = await me.manifestOf(full.id)
    expect(first.counts).toEqual({ blocks: 5, edges: 2, files: 4, memory: 0, tables: 0, rows: 0 })

    const empty = await me.project()
    const { plan } = await me.restore(empty.id, first)
    expect(plan).toMatchObject({ missingFiles: [], delete: [], unchanged: 0 })
    const second = await me.manifestOf(empty.slug)
    expect({ ...second, exportedAt: first.exportedAt }).toEqual(first)
    expect(await me.client.projects.get({ id: empty.id })).toMatchObject({ ...settings, slug: empty.slug })
    const { items } = await me.client.files.list({ search: 'Großer Plan' })
    expect(items.map(({ id }) => id).toSorted()).toEqual([full.folderId, empty.folderId].toSorted())
  })

  test('has the same checksum for any canvas', async () => {
    await fc.assert(
      fc.asyncProperty(randomCanvas(), async (canvas) => {
        const { id } = await me.project()
        const manifest = createManifest({ ...canvas, project: manifestSettings() })
        await me.restore(id, manifest)
        const exported = await me.manifestOf(id)
        const copy = await me.project()
        await me.restore(copy.id, exported)
        expect((await me.manifestOf(copy.id)).checksum).toEqual(exported.checksum)
        expect(new Set(exported.blocks)).toEqual(new Set(canvas.blocks))
        expect((await me.restore(copy.id, manifest, { dryRun: 'true' })).plan).toMatchObject({
          create: [],
          update: [],
          delete: [],
        })
      }),
      { numRuns: 15 },
    )
  })
})

describe('an export', () => {
  test("has its canonical JSON's SHA-256 as checksum, and no original ids", async () => {
    const project = await me.project()
    await me.put('x', 'x.txt', project.folderId)
    const { checksum, exportedAt, ...content } = await me.manifestOf(project.id)
    expect(checksum.value).toBe(sha256(canonicalJson(content)).toString('hex'))
    expect(exportedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    const text = JSON.stringify(content)
    for (const trace of [project.id, project.slug, project.folderId, me.person.orgId, me.person.id])
      expect(text).not.toContain(trace)
  })

  test('contains a block without its file if the file is in the trash', async () => {
    const project = await me.project()
    const { id } = await me.put('x', 'x.txt', project.folderId)
    const { files } = await me.manifestOf(project.id)
    await me.restore(
      project.id,
      createManifest({ files, blocks: [manifestBlock({ type: 'file', fileId: files[0]!.id })] }),
    )
    expect((await me.manifestOf(project.id)).blocks[0]!.fileId).toBe(files[0]!.id)
    await me.client.files.remove({ id })
    expect(await me.manifestOf(project.id)).toMatchObject({ files: [], blocks: [{ fileId: null }] })
  })

  test('is available to viewers, and NOT_FOUND without project access', async () => {
    const { id, workspaceIds } = await me.project()
    const hidden = await me.project({ visibility: 'private' })
    const viewer = await createProjectClient(app, { colleagueOf: me.person })
    await app.setWorkspaceRole(viewer.person, workspaceIds[0]!, 'viewer')
    expect((await viewer.manifestOf(id)).format).toBe('atrium/project')
    for (const [caller, projectId] of [
      [viewer, hidden.id],
      [await createProjectClient(app), id],
    ] as const)
      await expect(caller.manifestOf(projectId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('has the four JSON Canvas node types, integer coordinates and color format', async () => {
    const project = await me.project()
    await me.put('x', 'x.txt', project.folderId)
    const { files } = await me.manifestOf(project.id)
    const { blocks, edges } = canvasWith(files[0]!.id)
    await me.restore(project.id, createManifest({ files, blocks, edges }))
    const [group, note, file, link, task] = blocks.map(({ id }) => id)
    const size = { x: 0, y: 0, width: 240, height: 120 }
    const exported = await me.client.projectExport.export({ projectId: project.id, format: 'jsoncanvas' })
    expect(exported).toEqual({
      nodes: [
        { id: group, type: 'group', label: 'Press', x: -10, y: 0, width: 900, height: 600, color: '5' },
        { id: file, type: 'file', file: 'x.txt', ...size },
        { id: link, type: 'link', url: 'https://example.com/', ...size, color: '#A1B2C3' },
        { id: task, type: 'text', text: '', ...size },
        { id: note, type: 'text', text: '## Call\n\nthe *printer*', ...size },
      ],
      edges: [
        { id: edges[0]!.id, fromNode: note, toNode: link, label: 'because' },
        { id: edges[1]!.id, fromNode: link, toNode: group },
      ],
    })
  })
})
