import { beforeAll, describe, expect, test } from 'vitest'
import { BLOCKS_MAX } from '../../../../contract/canvas/blocks.ts'
import { createProjectClient, type ProjectClient } from '../../../testing/clients/project-client.ts'
import {
  createManifest,
  type Manifest,
  manifestBlock,
  manifestEdge,
  manifestFile,
} from '../../../testing/factories/manifests.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

/** Malicious manifests: each is refused with the path of the invalid field, or affects only its own project. */

let app: TestApp
let me: ProjectClient
let victim: ProjectClient
let projectId: string
beforeAll(async () => {
  app = await shareTestApp()
  victim = await createProjectClient(app)
  me = await createProjectClient(app)
  projectId = (await me.project()).id
})

const [a, b] = [manifestBlock({ type: 'group' }), manifestBlock()]
const unknownId = manifestBlock().id

describe('restoring an invalid manifest', () => {
  const cases: [title: string, manifest: unknown, refusal: string][] = [
    ['another format', { ...createManifest(), format: 'other' }, 'body.format'],
    ['another version', { ...createManifest(), version: 2 }, 'body.version'],
    ['no checksum', { ...createManifest(), checksum: undefined }, 'body.checksum is required'],
    [
      'a block changed after the export',
      { ...createManifest({ blocks: [a] }), blocks: [{ ...a, x: 1 }] },
      'body.checksum.value',
    ],
    [
      'a wrong count',
      { ...createManifest(), counts: { blocks: 1, edges: 0, files: 0, memory: 0 } },
      'body.checksum.value',
    ],
    [
      'an unknown field',
      createManifest({ blocks: [{ ...b, runId: unknownId } as never] }),
      'body.blocks.0.runId',
    ],
    ['an invalid memory entry', { ...createManifest(), memory: [{}] }, 'body.memory'],
    ['a duplicate block', createManifest({ blocks: [b, b] }), 'body.blocks.1.id'],
    [
      'a duplicate block with its id in upper case',
      createManifest({ blocks: [b, { ...b, id: b.id.toUpperCase() }] }),
      'body.blocks.1.id',
    ],
    [
      'a duplicate edge',
      createManifest({ blocks: [a, b], edges: Array(2).fill(manifestEdge(a, b)) }),
      'body.edges.1.id',
    ],
    [
      'a parent that does not exist',
      createManifest({ blocks: [{ ...b, parentId: unknownId }] }),
      'body.blocks.0.parentId',
    ],
    [
      'a parent that is not a group',
      createManifest({ blocks: [b, manifestBlock({ parentId: b.id })] }),
      'body.blocks.1.parentId',
    ],
    [
      'a group that contains itself',
      createManifest({ blocks: [{ ...a, parentId: a.id }] }),
      'body.blocks.0.parentId',
    ],
    ['a cycle of groups', createManifest({ blocks: groupCycle(3) }), 'body.blocks.0.parentId'],
    [
      'an edge to an unknown block',
      createManifest({ blocks: [a], edges: [manifestEdge(a, b)] }),
      'body.edges.0.toBlockId',
    ],
    [
      'an edge from a block to itself',
      createManifest({ blocks: [a], edges: [manifestEdge(a, a)] }),
      'body.edges.0.toBlockId',
    ],
    [
      'a file that is not listed',
      createManifest({ blocks: [{ ...b, fileId: unknownId }] }),
      'body.blocks.0.fileId',
    ],
    [
      'a label of 256 characters',
      createManifest({ blocks: [a, b], edges: [manifestEdge(a, b, 'x'.repeat(256))] }),
      'body.edges.0.label',
    ],
    [
      'a NUL character in a label',
      createManifest({ blocks: [a, b], edges: [manifestEdge(a, b, '\0')] }),
      'body.edges.0.label',
    ],
    ['a negative width', createManifest({ blocks: [{ ...b, width: -1 }] }), 'body.blocks.0.width'],
    ['a coordinate out of range', createManifest({ blocks: [{ ...b, x: 1e300 }] }), 'body.blocks.0.x'],
    [
      'a zIndex out of range',
      createManifest({ blocks: [{ ...b, zIndex: 2 ** 40 }] }),
      'body.blocks.0.zIndex',
    ],
    [
      'a file of negative size',
      createManifest({ files: [manifestFile('x', { size: -1 })] }),
      'body.files.0.size',
    ],
  ]
  test.each(cases)('is BAD_REQUEST and names the field: %s', async (_title, manifest, refusal) => {
    for (const query of ['', '?dryRun=true']) {
      const [status, message] = await me.refusal(projectId, manifest, query)
      expect([status, message]).toEqual([400, expect.stringContaining(refusal)])
    }
  })

  const paths = [
    '../x',
    '/etc/x',
    'a//x',
    'a/../x',
    './x',
    'a/./x',
    'x/',
    '',
    '%2e%2e/x',
    'a%2Fx',
    '%41/x',
    'a\nb/x',
  ]
  test.each(paths)('is BAD_REQUEST and names the field: path %j', async (path) => {
    const file = manifestFile('x', { path, name: 'x' })
    const [status, message] = await me.refusal(projectId, createManifest({ files: [file] }))
    expect([status, message]).toEqual([400, expect.stringContaining('body.files.0.path')])
  })

  test('is BAD_REQUEST and names the field: path not ending in the file name', async () => {
    const files = [manifestFile('x', { path: 'a/x', name: 'y' })]
    expect(await me.refusal(projectId, createManifest({ files }))).toEqual([
      400,
      expect.stringContaining('body.files.0.name'),
    ])
  })

  test('is BAD_REQUEST and names the field: path deeper than the folder limit', async () => {
    const files = [manifestFile('x', { path: `${'a/'.repeat(64)}x` })]
    expect(await me.refusal(projectId, createManifest({ files }))).toEqual([
      400,
      expect.stringContaining('body.files.0.path'),
    ])
  })

  test('is BAD_REQUEST and names the field: 10,001 blocks, or a non-finite number', async () => {
    const blocks = Array.from({ length: BLOCKS_MAX + 1 }, () => manifestBlock())
    expect(await me.refusal(projectId, createManifest({ blocks }))).toEqual([
      400,
      'body.blocks must have at most 10000 blocks',
    ])
    const text = JSON.stringify(createManifest({ blocks: [manifestBlock({ metadata: { n: 7 } })] })).replace(
      '"n":7',
      '"n":1e999',
    )
    expect(await me.refusal(projectId, text)).toEqual([
      400,
      expect.stringContaining('body.blocks.0.metadata'),
    ])
  })

  test.each(['__proto__', 'constructor', 'prototype'])(
    'is BAD_REQUEST and names the field: metadata key %s',
    async (key) => {
      const text = JSON.stringify(createManifest({ blocks: [manifestBlock({ metadata: { x: { y: 1 } } })] }))
      const [status] = await me.refusal(projectId, text.replace('"y":', `"${key}":`))
      expect(status).toBe(400)
      expect(({} as Record<string, unknown>).y).toBeUndefined()
    },
  )
})

describe('restoring a manifest with foreign references', () => {
  test('leaves another organization’s blocks, edges and files alone despite their ids', async () => {
    const theirs = await victim.project()
    await victim.put('secret', 'secret.txt', theirs.folderId)
    const { files } = await victim.manifestOf(theirs.id)
    const blocks = [
      manifestBlock({ title: 'theirs', fileId: files[0]!.id, type: 'file' }),
      manifestBlock({ type: 'group' }),
    ]
    await victim.restore(
      theirs.id,
      createManifest({ blocks, edges: [manifestEdge(blocks[0]!, blocks[1]!)], files }),
    )
    const before = await victim.manifestOf(theirs.id)

    const mine = await me.project()
    const copied: Manifest = createManifest({
      ...before,
      blocks: before.blocks.map((block) => ({ ...block, title: 'mine' })),
    })
    const { plan } = await me.restore(mine.id, copied, { mode: 'replace' })
    expect(plan).toMatchObject({ update: [{ kind: 'project' }], delete: [], missingFiles: files })
    expect((await victim.manifestOf(theirs.id)).checksum).toEqual(before.checksum)
    const after = await me.manifestOf(mine.id)
    expect(after).toMatchObject({ files: [], blocks: [{ title: 'mine', fileId: null }, { title: 'mine' }] })
  })

  test("leaves another project's file alone despite its id", async () => {
    const [mine, other] = [await me.project(), await me.project()]
    const { id } = await me.put('other', 'other.txt', other.folderId)
    const file = manifestFile('missing content', { id })
    const shown = manifestBlock({ type: 'file', fileId: id })
    await me.restore(mine.id, createManifest({ files: [file], blocks: [shown] }))
    expect((await me.manifestOf(mine.id)).blocks).toEqual([{ ...shown, fileId: null }])
  })

  test('takes no file from another member’s private project by its hash', async () => {
    const colleague = await createProjectClient(app, { colleagueOf: me.person })
    const hidden = await colleague.project({ visibility: 'private' })
    await colleague.put('the secret plan', 'secret.txt', hidden.folderId)
    const { files } = await colleague.manifestOf(hidden.id)
    const mine = await me.project()
    const { plan } = await me.restore(mine.id, createManifest({ files }))
    expect([plan.missingFiles, plan.create]).toEqual([files, []])
    expect((await me.manifestOf(mine.id)).files).toEqual([])
    expect((await colleague.restore(mine.id, createManifest({ files }))).plan.missingFiles).toEqual([])
  })

  test('treats a file as missing if the hash matches but the type or size does not', async () => {
    const mine = await me.project()
    await me.put('<script>', 'page.txt', mine.folderId)
    const [page] = (await me.manifestOf(mine.id)).files
    const files = [{ ...page!, path: 'page.html', name: 'page.html', mimeType: 'text/html' }]
    expect((await me.restore(mine.id, createManifest({ files }))).plan.missingFiles).toEqual(files)
    const larger = [{ ...page!, path: 'other.txt', name: 'other.txt', size: 9 }]
    expect((await me.restore(mine.id, createManifest({ files: larger }))).plan.missingFiles).toEqual(larger)
  })
})

function groupCycle(length: number) {
  const groups = Array.from({ length }, () => manifestBlock({ type: 'group' }))
  return groups.map((group, index) => ({ ...group, parentId: groups[(index + 1) % length]!.id }))
}
