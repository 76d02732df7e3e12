import { expect, test } from 'vitest'
import { ApiFailure } from '../../../../client/client.ts'
import { createCanvasStore } from './canvas-store.ts'
import { createFakeServer, testBlock } from './fake-server.ts'
import type { Write } from './write.ts'

const edgeOf = (id: string, fromBlockId: string, toBlockId: string) => ({
  id,
  fromBlockId,
  toBlockId,
  label: null,
  condition: null,
  style: {},
})

function open(server = createFakeServer()) {
  const rejections: unknown[] = []
  const sent: Write[] = []
  let isOffline = false
  let gate: Promise<void> | undefined
  const store = createCanvasStore({
    projectId: 'p',
    canvas: server.canvas(),
    read: async () => server.canvas(),
    send: async (write, key) => {
      if (isOffline) throw new ApiFailure(0, { message: 'Can’t reach the server' })
      sent.push(write)
      const result = server.send(write, key)
      await gate
      return result
    },
    onRejected: (error) => rejections.push(error),
    wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
  })
  const waitUntilSaved = () => expect.poll(() => store.saving.get()).toBe('saved')
  return {
    store,
    server,
    rejections,
    sent,
    waitUntilSaved,
    setOffline: (next: boolean) => (isOffline = next),
    /** Delays responses until the returned function is called. */
    delayResponses: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

test("the store shows writes before sending them, and sends one tick's writes in one request", async () => {
  const { store, server, sent, waitUntilSaved } = open()
  store.change({ create: { blocks: [testBlock('a'), testBlock('b')] } })
  store.change({ create: { edges: [edgeOf('e', 'a', 'b')] } })
  store.change({ update: { blocks: [{ id: 'a', title: 'First' }] } })
  expect(store.items.blocks.get('a')?.title).toBe('First')
  expect(store.isSaved('a')).toBe(false)
  await waitUntilSaved()
  expect(sent).toHaveLength(1)
  expect(sent[0]!.create.blocks[0]).toMatchObject({ id: 'a', title: 'First' })
  expect(store.isSaved('a')).toBe(true)
  expect(server.canvas().edges).toHaveLength(1)
})

test('the store notifies watchers with exactly the changed ids', () => {
  const { store } = open()
  store.change({ create: { blocks: [testBlock('a'), testBlock('b')] } })
  const notifications: string[][] = []
  store.watch((ids) => notifications.push([...ids]))
  store.change({ update: { blocks: [{ id: 'b', x: 5 }] } })
  expect(notifications).toEqual([['b']])
})

test('the store reverts and reports a rejected write', async () => {
  const { store, server, rejections, waitUntilSaved } = open()
  store.change({ create: { blocks: [testBlock('a', { title: 'Mine' })] } })
  await waitUntilSaved()
  server.send({ ...emptyWrite(), delete: { blocks: ['a'], edges: [] } }, 'another caller')
  store.change({ update: { blocks: [{ id: 'a', title: 'Changed' }] } })
  await waitUntilSaved()
  expect(rejections).toHaveLength(1)
  expect(store.items.blocks.has('a')).toBe(false)
})

test('the store moves the remaining blocks when another user has deleted one', async () => {
  const { store, server, rejections, waitUntilSaved } = open()
  store.change({ create: { blocks: [testBlock('a'), testBlock('b')] } })
  await waitUntilSaved()
  server.send({ ...emptyWrite(), delete: { blocks: ['a'], edges: [] } }, 'another caller')
  store.change({
    update: {
      blocks: [
        { id: 'a', x: 9, y: 9 },
        { id: 'b', x: 9, y: 9 },
      ],
    },
  })
  await waitUntilSaved()
  expect(rejections).toEqual([])
  expect(server.canvas().items).toMatchObject([{ id: 'b', x: 9 }])
})

test('the store queues writes while the server is unreachable, and sends them in order afterwards', async () => {
  const { store, server, sent, waitUntilSaved, setOffline } = open()
  setOffline(true)
  store.change({ create: { blocks: [testBlock('a')] } })
  await expect.poll(() => store.saving.get()).toBe('waiting')
  store.change({ update: { blocks: [{ id: 'a', x: 1 }] } })
  store.change({ delete: { blocks: ['a'] } })
  store.undo()
  setOffline(false)
  store.retryNow()
  await waitUntilSaved()
  expect(sent.length).toBeGreaterThan(1)
  expect(server.canvas().items).toMatchObject([{ id: 'a', x: 1 }])
})

test('the store prefers a pending local change to a remote change to the same field', async () => {
  const { store, server, waitUntilSaved, setOffline } = open()
  store.change({ create: { blocks: [testBlock('a')] } })
  await waitUntilSaved()
  setOffline(true)
  store.change({ update: { blocks: [{ id: 'a', title: 'Mine' }] } })
  server.send(
    { ...emptyWrite(), update: { blocks: [{ id: 'a', title: 'Theirs', x: 7 }], edges: [] } },
    'another caller',
  )
  store.applyRemote(server.changes)
  expect(store.items.blocks.get('a')).toMatchObject({ title: 'Mine', x: 7 })
  setOffline(false)
  store.retryNow()
  await waitUntilSaved()
  expect(server.canvas().items).toMatchObject([{ title: 'Mine', x: 7 }])
})

test('the store ignores stream events for its own writes after their responses', async () => {
  const { store, server, waitUntilSaved } = open()
  store.change({ create: { blocks: [testBlock('a', { x: 1 })] } })
  await waitUntilSaved()
  store.change({ update: { blocks: [{ id: 'a', x: 2 }] } })
  await waitUntilSaved()
  store.applyRemote(server.changes)
  expect(store.items.blocks.get('a')?.x).toBe(2)
  expect(store.seq()).toBe(2)
})

test('the store ignores a response that arrives after the stream events for its own write and a later one', async () => {
  const { store, server, waitUntilSaved, delayResponses } = open()
  store.change({ create: { blocks: [testBlock('a'), testBlock('b')] } })
  await waitUntilSaved()
  const respond = delayResponses()
  store.change({
    update: {
      blocks: [
        { id: 'a', x: 2 },
        { id: 'b', x: 2 },
      ],
    },
  })
  await expect.poll(() => server.changes.length).toBe(4)
  server.send({ ...emptyWrite(), update: { blocks: [{ id: 'b', x: 7 }], edges: [] } }, 'another caller')
  store.applyRemote(server.changes)
  expect(store.saving.get()).toBe('saving')
  respond()
  await waitUntilSaved()
  expect([store.items.blocks.get('a')?.x, store.items.blocks.get('b')?.x]).toEqual([2, 7])
  expect(store.seq()).toBe(5)
})

test("the store releases a deleted group's members, deletes its edges, and restores all on undo", async () => {
  const { store, server, waitUntilSaved } = open()
  store.change({
    create: {
      blocks: [testBlock('g', { type: 'group' }), testBlock('a', { parentId: 'g' }), testBlock('b')],
      edges: [edgeOf('e', 'g', 'b')],
    },
  })
  store.change({ delete: { blocks: ['g'] } })
  expect(store.items.blocks.get('a')?.parentId).toBe(null)
  expect(store.items.edges.size).toBe(0)
  expect(store.undo()).toBe(true)
  expect(store.items.blocks.get('a')?.parentId).toBe('g')
  expect(store.items.edges.size).toBe(1)
  expect(store.redo()).toBe(true)
  await waitUntilSaved()
  expect(server.canvas()).toMatchObject({ items: [{ id: 'a', parentId: null }, { id: 'b' }], edges: [] })
})

test("the store moves a deleted group's members to the given parent", async () => {
  const { store, server, rejections, waitUntilSaved } = open()
  store.change({
    create: {
      blocks: [
        testBlock('outer', { type: 'group' }),
        testBlock('g', { type: 'group', parentId: 'outer' }),
        testBlock('a', { parentId: 'g' }),
      ],
    },
  })
  store.change({ update: { blocks: [{ id: 'a', parentId: 'outer' }] }, delete: { blocks: ['g'] } })
  await waitUntilSaved()
  expect(rejections).toEqual([])
  expect(server.canvas().items).toMatchObject([{ id: 'outer' }, { id: 'a', parentId: 'outer' }])
})

test('the store splits a large write into several requests, and undoes it in one step', async () => {
  const { store, server, sent, rejections, waitUntilSaved } = open()
  const ids = Array.from({ length: 2500 }, (_, index) => `${index}`)
  const inGroup = ids.map((id) => testBlock(id, { parentId: 'g', content: 'word'.repeat(50) }))
  store.change({ create: { blocks: [...inGroup, testBlock('g', { type: 'group' })] } })
  await waitUntilSaved()
  expect(sent.length).toBe(3)
  store.change({ update: { blocks: ids.map((id) => ({ id, x: 5 })) } })
  store.change({ delete: { blocks: [...ids, 'g'] } })
  await waitUntilSaved()
  expect(server.canvas().items).toEqual([])
  store.undo()
  await waitUntilSaved()
  expect(rejections).toEqual([])
  expect(server.canvas().items).toHaveLength(2501)
  expect(server.canvas().items.every(({ x, id }) => x === (id === 'g' ? 0 : 5))).toBe(true)
})

test('the store merges small steps of one kind, and clears the redo stack on a new step', () => {
  const { store } = open()
  store.change({ create: { blocks: [testBlock('a')] } })
  for (const x of [1, 2, 3]) store.change({ update: { blocks: [{ id: 'a', x }] } }, 'nudge')
  store.undo()
  expect(store.items.blocks.get('a')?.x).toBe(0)
  expect(store.undoState.get()).toEqual({ undo: true, redo: true })
  store.change({ update: { blocks: [{ id: 'a', y: 4 }] } })
  expect(store.redo()).toBe(false)
  store.undo()
  store.undo()
  expect(store.items.blocks.size).toBe(0)
  expect(store.undo()).toBe(false)
})

test('the store skips an undo step whose items other users deleted', async () => {
  const { store, server, waitUntilSaved } = open()
  store.change({ create: { blocks: [testBlock('a'), testBlock('b')] } })
  store.change({ update: { blocks: [{ id: 'b', x: 5 }] } })
  store.change({ update: { blocks: [{ id: 'a', x: 5 }] } })
  await waitUntilSaved()
  server.send({ ...emptyWrite(), delete: { blocks: ['a'], edges: [] } }, 'another caller')
  store.applyRemote(server.changes)
  store.undo()
  expect(store.items.blocks.get('b')?.x).toBe(0)
})

const emptyWrite = (): Write => ({
  create: { blocks: [], edges: [] },
  update: { blocks: [], edges: [] },
  delete: { blocks: [], edges: [] },
})
