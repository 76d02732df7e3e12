import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openUnlinked } from '../../../storage/spool.ts'
import { createProjectClient, type ProjectClient } from '../../../testing/clients/project-client.ts'
import {
  createManifest,
  manifestBlock,
  manifestEdge,
  manifestRow,
  manifestTable,
} from '../../../testing/factories/manifests.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let me: ProjectClient
beforeAll(async () => {
  app = await buildTestApp()
  me = await createProjectClient(app)
})
afterAll(() => app.close())

/** Larger than a body that the server parses in its own thread. */
function createLargeManifest() {
  const blocks = Array.from({ length: 1500 }, (_, n) =>
    manifestBlock({ title: `Note ${n}`, content: 'x'.repeat(1000), metadata: { n } }),
  )
  const edges = blocks.slice(1).map((block, n) => manifestEdge(blocks[n]!, block))
  return createManifest({ blocks, edges, tables: [] })
}

const restore = (projectId: string, body: unknown) =>
  app.request('POST', `/api/v1/projects/${projectId}/restore`, { headers: me.headers, body })

test('restores a large manifest as it was exported', async () => {
  const manifest = createLargeManifest()
  const { id } = await me.project()
  expect(await restore(id, manifest)).toMatchObject({ status: 200, body: { dryRun: false } })
  expect((await me.manifestOf(id)).checksum).toEqual(manifest.checksum)
})

test('refuses a large invalid manifest and names the field', async () => {
  const manifest = createLargeManifest()
  const { id } = await me.project()
  const [block, ...blocks] = manifest.blocks
  const refusals: [body: unknown, path: string][] = [
    [{ ...manifest, checksum: { algorithm: 'sha256', value: '0'.repeat(64) } }, 'body.checksum.value'],
    [{ ...manifest, blocks: [{ ...block, x: 'left' }, ...blocks] }, 'body.blocks.0.x'],
    [{ ...manifest, surprise: true }, 'body.surprise'],
    [JSON.stringify(manifest).replace('"x"', '"__proto__":{},"x"'), 'body'],
  ]
  for (const [body, path] of refusals) {
    const response = await restore(id, body)
    expect(response).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } })
  }
  const truncated = await restore(id, JSON.stringify(manifest).slice(0, -1))
  expect(truncated.body.error.message).toBe('The body is not valid JSON')
})

test('answers other requests while parsing a large manifest', async () => {
  const { parseManifest } = await import('./manifest-thread.ts')
  const file = await openUnlinked(app.dataFolder)
  onTestFinished(() => file.close())
  const text = JSON.stringify(createLargeManifest())
  await file.writeFile(text)
  let turns = 0
  let isParsed = false
  const count = () => {
    turns++
    if (!isParsed) setImmediate(count)
  }
  const parsing = parseManifest(
    { params: { projectId: 'a-project' }, query: {} },
    { fd: file.fd, bytes: text.length },
  ).finally(() => (isParsed = true))
  setImmediate(count)
  expect((await parsing).blocks).toHaveLength(1500)
  // One turn of the event loop per part is the least: 1,500 blocks and 1,499 edges come in parts of 200.
  expect(turns).toBeGreaterThanOrEqual(16)
})

const COLUMNS = Array.from({ length: 8 }, (_, n) => ({
  id: `c${n}`,
  name: `Column ${n}`,
  type: 'text' as const,
}))

function createTableManifest(rows: number) {
  const values = Object.fromEntries(COLUMNS.map(({ id }) => [id, `A value of ${id}`]))
  const rowList = Array.from({ length: rows }, (_, n) => manifestRow({ ...values, c0: `${n}` }))
  return createManifest({ tables: [manifestTable({ columns: COLUMNS, key: 'c0', rows: rowList })] })
}

test('restores 100,000 rows as they were exported, and holds them only as text meanwhile', async () => {
  const text = JSON.stringify(createTableManifest(100_000))
  const { id } = await me.project()
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const heapUsed = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heapUsed()
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, heapUsed())), 3000)
  const restored = await restore(id, text)
  clearInterval(timer)
  expect(restored).toMatchObject({
    status: 200,
    body: { applied: { create: [{ kind: 'table', rows: { created: 100_000 } }] } },
  })
  // As objects, the rows take twice as much.
  expect(most - before).toBeLessThan(text.length)
  const exported = await me.manifestOf(id)
  expect(exported.checksum).toMatchObject({ value: JSON.parse(text).checksum.value })
  const again = await restore(id, text)
  expect(again.body.applied).toMatchObject({ create: [], update: [], delete: [] })
}, 300_000)

test('refuses a large manifest with an invalid row and names it', async () => {
  const manifest = createTableManifest(2000)
  const { id } = await me.project()
  const [table] = manifest.tables!
  const withRow = (row: unknown) => ({ ...manifest, tables: [{ ...table, rows: [...table!.rows, row] }] })
  const refusals: [body: unknown, path: string][] = [
    [withRow({ id: 'x', values: {} }), 'body.tables.0.rows.2000.id'],
    [withRow({ ...table!.rows[0], more: 1 }), 'body.tables.0.rows.2000.more'],
    [withRow(table!.rows[7]), 'body.tables.0.rows.2000.id'],
    [withRow(manifestRow({ c1: 'x' })), 'body.checksum.value'],
    [JSON.stringify(manifest).replace('"c1":', '"__proto__":{},"c1":'), 'body'],
    [JSON.stringify(manifest).replace('"rows":[', '"rows":[],"rows":['), 'body.tables.0.rows'],
    [
      createManifest({ tables: [{ ...table!, rows: [...table!.rows, manifestRow({ c1: 5 })] }] }),
      'body.tables.0.rows.2000.values.c1',
    ],
  ]
  for (const [body, path] of refusals)
    expect(await restore(id, body)).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } })
  expect((await me.client.tables.list({ projectId: id })).items).toEqual([])
})
