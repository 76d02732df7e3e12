import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCanvas, replay } from '../../../../testing/factories/canvas.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
/** A second process on the same database. */
let secondApp: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  secondApp = await buildTestApp({ on: app.connection })
})
afterAll(async () => {
  await secondApp.close()
  await app.close()
})

test('twenty concurrent writers on two servers leave a gapless history that reproduces the canvas', async () => {
  const canvas = await createTestCanvas(app)
  const { projectId, org } = canvas
  const shared = await Promise.all([1, 2, 3, 4, 5].map(() => canvas.block({ type: 'group' })))
  const clients = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const headers = bearer(await app.key(await app.person(org)))
      return (n % 2 === 0 ? app : secondApp).as(headers).canvas
    }),
  )
  await Promise.all(
    clients.map(async (client, n) => {
      const ownBlock = await client.create({ projectId, type: 'note', title: `of ${n}` })
      const positions = shared.map(({ id }, index) => ({ id, x: n, y: index }))
      await client.move({ projectId, positions: n % 2 === 0 ? positions : positions.toReversed() })
      await client.update({ projectId, blockId: ownBlock.id, parentId: shared[n % 5]!.id, title: 'placed' })
      await client.connect({ projectId, fromBlockId: ownBlock.id, toBlockId: shared[n % 5]!.id })
    }),
  )
  const { seq } = await canvas.read()
  const history = await canvas.history()
  expect(history.map((change) => change.seq)).toEqual(Array.from({ length: seq }, (_, index) => index + 1))
  expect(history.filter(({ action }) => action === 'created')).toHaveLength(5 + 20 + 20)
  expect(replay(history)).toEqual(await canvas.state())
  expect(new Set(history.map(({ by }) => by!.id)).size).toBe(21)
})

test('a block removed while others move it stays removed, and their moves are refused', async () => {
  const canvas = await createTestCanvas(app)
  const { projectId, client } = canvas
  const { id } = await canvas.block()
  const results = await Promise.allSettled([
    client.canvas.remove({ projectId, blockId: id }),
    ...Array.from({ length: 5 }, (_, n) =>
      client.canvas.move({ projectId, positions: [{ id, x: n + 1, y: 0 }] }),
    ),
  ])
  for (const { reason } of results.filter((result) => result.status === 'rejected')) {
    expect(reason).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'body.positions.0.id' }] })
  }
  expect(results[0]!.status).toBe('fulfilled')
  expect(await canvas.state()).toEqual({ block: {}, edge: {} })
  expect(replay(await canvas.history())).toEqual({ block: {}, edge: {} })
})

test('a write by a run that ends concurrently commits before the end or is refused', async () => {
  const canvas = await createTestCanvas(app)
  const { projectId, client } = canvas
  const run = await client.runs.start({ projectId })
  const writes = Array.from({ length: 8 }, () =>
    client.canvas.create({ projectId, type: 'note', runId: run.id }),
  )
  const ending = client.runs.update({ projectId, runId: run.id, status: 'succeeded' })
  const results = await Promise.allSettled(writes)
  await ending
  for (const { reason } of results.filter((result) => result.status === 'rejected'))
    expect(reason).toMatchObject({ details: [{ path: 'body.runId' }] })
  const writtenCount = results.filter(({ status }) => status === 'fulfilled').length
  expect((await canvas.read()).items).toHaveLength(writtenCount)
})
