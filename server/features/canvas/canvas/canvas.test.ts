import { beforeAll, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

/** Nine blocks in a ring of edges, and one more edge across. */
async function createRing() {
  const canvas = await createTestCanvas(app)
  const ids = await canvas.blocks(9)
  for (const [n, id] of ids.entries()) await canvas.edge(id, ids[(n + 4) % 9]!)
  await canvas.edge(ids[0]!, ids[8]!)
  return { ...canvas, ids }
}

describe("Rule 6: a project's blocks", () => {
  test("are returned in one response without a limit, with all edges and the latest change's number", async () => {
    const { read, ids } = await createRing()
    const { items, edges, nextCursor, seq } = await read()
    expect([items.map(({ id }) => id), edges.length, nextCursor, seq]).toEqual([ids, 10, null, 10])
  })

  test.each([1, 2, 4, 8, 9, 500])(
    'come page by page with a limit of %i: each block and edge once',
    async (limit) => {
      const { client, projectId, read } = await createRing()
      const all = await read()
      const items = []
      const edges = []
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await client.canvas.list({ projectId, limit, cursor })
        const pageIds = new Set(page.items.map(({ id }) => id))
        expect(page.items.length).toBeLessThanOrEqual(limit)
        expect(page.edges.every(({ fromBlockId }) => pageIds.has(fromBlockId))).toBe(true)
        items.push(...page.items)
        edges.push(...page.edges)
        cursor = page.nextCursor ?? undefined
        more = cursor !== undefined
      }
      expect(items).toEqual(all.items)
      expect(new Set(edges)).toEqual(new Set(all.edges))
      expect(edges).toHaveLength(10)
    },
  )

  test('refuse a limit outside 1 to 500', async () => {
    const canvas = await createTestCanvas(app)
    for (const limit of ['0', '501', '1.5', 'many', '-1', '1e400']) {
      const { status, body } = await canvas.request('GET', `/blocks?limit=${limit}`)
      expect([limit, status, body.error.details[0].path]).toEqual([limit, 400, 'query.limit'])
    }
  })

  test('accept a cursor only for its own canvas, and with a limit', async () => {
    const canvas = await createRing()
    const other = await createRing()
    const { nextCursor } = await canvas.client.canvas.list({ projectId: canvas.projectId, limit: 2 })
    for (const cursor of ['x', `${nextCursor}x`]) {
      const { status, body } = await canvas.request('GET', `/blocks?limit=2&cursor=${cursor}`)
      expect([status, body.error.details[0].path]).toEqual([400, 'query.cursor'])
    }
    expect((await other.request('GET', `/blocks?limit=2&cursor=${nextCursor}`)).status).toBe(400)
    const { body } = await canvas.request('GET', `/blocks?cursor=${nextCursor}`)
    expect(body.error.details).toEqual([{ path: 'query.limit', message: 'is required with a cursor' }])
  })

  test('are an empty list for an empty canvas', async () => {
    const { read, client, projectId } = await createTestCanvas(app)
    const empty = { items: [], edges: [], nextCursor: null, seq: 0 }
    expect(await read()).toEqual(empty)
    expect(await client.canvas.list({ projectId, limit: 5 })).toEqual(empty)
  })

  test("are found by the project's slug", async () => {
    const { client, project, read } = await createRing()
    expect(await client.canvas.list({ projectId: project.slug.toUpperCase() })).toEqual(await read())
  })
})

describe('canvas access', () => {
  const writes = (id: string) =>
    [
      ['POST', '/blocks', { type: 'note' }],
      ['PATCH', '/blocks/positions', { positions: [{ id, x: 1, y: 1 }] }],
      ['PATCH', `/blocks/${id}`, { title: 'x' }],
      ['DELETE', `/blocks/${id}`, undefined],
      ['POST', '/edges', { fromBlockId: id, toBlockId: id }],
      ['DELETE', `/edges/${id}`, undefined],
      ['PATCH', '/canvas', { delete: { blocks: [id] } }],
      ['POST', '/history/0/restore', undefined],
      ['POST', '/snapshots', undefined],
      ['POST', `/snapshots/${id}/restore`, undefined],
      ['POST', '/runs', undefined],
      ['PATCH', `/runs/${id}`, { status: 'failed' }],
      ['POST', '/restore-last-run', undefined],
    ] as const
  const reads = ['/blocks', '/history', '/snapshots', '/runs', '/navigator']

  test('lets workspace viewers read but change nothing', async () => {
    const { org, project, path, block, read } = await createTestCanvas(app)
    const { id } = await block()
    const viewer = await app.person(org)
    await app.setWorkspaceRole(viewer, project.workspaceIds[0]!, 'viewer')
    const headers = bearer(await app.key(viewer))
    for (const rest of reads) expect((await app.request('GET', path + rest, { headers })).status).toBe(200)
    for (const [method, rest, body] of writes(id)) {
      const response = await app.request(method, path + rest, { headers, body })
      expect([rest, response.status, response.body.error.details]).toEqual([
        rest,
        403,
        { reason: 'view_only' },
      ])
    }
    expect((await read()).seq).toBe(1)
  })

  test.each([
    ['of another organization', async () => app.newUser({ role: 'owner' })],
    [
      'outside its workspaces',
      async (org: { id: string; name: string; workspaceId: string }) => {
        const person = await app.person(org)
        await app.setWorkspaceRole(person, org.workspaceId, null)
        return { headers: bearer(await app.key(person)) }
      },
    ],
  ])('is NOT_FOUND for users %s', async (_, user) => {
    const { org, path, block, read } = await createTestCanvas(app)
    const { id } = await block()
    const { headers } = await user(org)
    for (const rest of reads) expect((await app.request('GET', path + rest, { headers })).status).toBe(404)
    for (const [method, rest, body] of writes(id))
      expect((await app.request(method, path + rest, { headers, body })).status).toBe(404)
    expect((await read()).seq).toBe(1)
  })

  test('ends when the project is deleted', async () => {
    const { project, headers, path } = await createTestCanvas(app)
    await app.sql`update projects set deleted_at = now() where org_id = ${project.orgId} and id = ${project.id}`
    for (const rest of reads) expect((await app.request('GET', path + rest, { headers })).status).toBe(404)
    expect((await app.request('POST', `${path}/blocks`, { headers, body: { type: 'note' } })).status).toBe(
      404,
    )
  })
})
