import { expect, test } from 'vitest'
import { ApiFailure } from '../../../../client/client.ts'
import { createCanvasStore } from './canvas-store.ts'
import { blockOf, pretendServer } from './fake-server.ts'
import type { Write } from './write.ts'

const edgeOf = (id: string, fromBlockId: string, toBlockId: string) => ({
  id,
  fromBlockId,
  toBlockId,
  label: null,
})

function open(server = pretendServer()) {
  const told: unknown[] = []
  const sent: Write[] = []
  let down = false
  const store = createCanvasStore({
    projectId: 'p',
    canvas: server.canvas(),
    read: async () => server.canvas(),
    send: async (write, key) => {
      if (down) throw new ApiFailure(0, { message: 'The server cannot be reached' })
      sent.push(write)
      return server.send(write, key)
    },
    tell: (error) => told.push(error),
    wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
  })
  const settled = () => expect.poll(() => store.saving.get()).toBe('saved')
  return { store, server, told, sent, settled, cut: (now: boolean) => (down = now) }
}

test('what is written together is sent together, and is shown before it has been sent', async () => {
  const { store, server, sent, settled } = open()
  store.change({ create: { blocks: [blockOf('a'), blockOf('b')] } })
  store.change({ create: { edges: [edgeOf('e', 'a', 'b')] } })
  store.change({ update: { blocks: [{ id: 'a', title: 'First' }] } })
  expect(store.items.blocks.get('a')?.title).toBe('First')
  expect(store.isSaved('a')).toBe(false)
  await settled()
  expect(sent).toHaveLength(1)
  expect(sent[0]!.create.blocks[0]).toMatchObject({ id: 'a', title: 'First' })
  expect(store.isSaved('a')).toBe(true)
  expect(server.canvas().edges).toHaveLength(1)
})

test('a watcher hears of the things that changed, and of no others', () => {
  const { store } = open()
  store.change({ create: { blocks: [blockOf('a'), blockOf('b')] } })
  const heard: string[][] = []
  store.watch((ids) => heard.push([...ids]))
  store.change({ update: { blocks: [{ id: 'b', x: 5 }] } })
  expect(heard).toEqual([['b']])
})

test('what the server refuses is taken back and said', async () => {
  const { store, server, told, settled } = open()
  store.change({ create: { blocks: [blockOf('a', { title: 'Mine' })] } })
  await settled()
  server.send({ ...noWrite(), delete: { blocks: ['a'], edges: [] } }, 'somebody else')
  store.change({ update: { blocks: [{ id: 'a', title: 'Changed' }] } })
  await settled()
  expect(told).toHaveLength(1)
  expect(store.items.blocks.has('a')).toBe(false)
})

test('when somebody removed one of the blocks that are moved, the others move', async () => {
  const { store, server, told, settled } = open()
  store.change({ create: { blocks: [blockOf('a'), blockOf('b')] } })
  await settled()
  server.send({ ...noWrite(), delete: { blocks: ['a'], edges: [] } }, 'somebody else')
  store.change({
    update: {
      blocks: [
        { id: 'a', x: 9, y: 9 },
        { id: 'b', x: 9, y: 9 },
      ],
    },
  })
  await settled()
  expect(told).toEqual([])
  expect(server.canvas().items).toMatchObject([{ id: 'b', x: 9 }])
})

test('while the server cannot be reached everything is kept, and sent in order when it is back', async () => {
  const { store, server, sent, settled, cut } = open()
  cut(true)
  store.change({ create: { blocks: [blockOf('a')] } })
  await expect.poll(() => store.saving.get()).toBe('waiting')
  store.change({ update: { blocks: [{ id: 'a', x: 1 }] } })
  store.change({ delete: { blocks: ['a'] } })
  store.undo()
  cut(false)
  store.wake()
  await settled()
  expect(sent.length).toBeGreaterThan(1)
  expect(server.canvas().items).toMatchObject([{ id: 'a', x: 1 }])
})

test('our own change wins over what others say of the same field, until it has been saved', async () => {
  const { store, server, settled, cut } = open()
  store.change({ create: { blocks: [blockOf('a')] } })
  await settled()
  cut(true)
  store.change({ update: { blocks: [{ id: 'a', title: 'Mine' }] } })
  server.send(
    { ...noWrite(), update: { blocks: [{ id: 'a', title: 'Theirs', x: 7 }], edges: [] } },
    'somebody else',
  )
  store.hear(server.changes)
  expect(store.items.blocks.get('a')).toMatchObject({ title: 'Mine', x: 7 })
  cut(false)
  store.wake()
  await settled()
  expect(server.canvas().items).toMatchObject([{ title: 'Mine', x: 7 }])
})

test('an echo that comes after the answer changes nothing, and neither does an answer after its echo', async () => {
  const { store, server, settled } = open()
  store.change({ create: { blocks: [blockOf('a', { x: 1 })] } })
  await settled()
  store.change({ update: { blocks: [{ id: 'a', x: 2 }] } })
  await settled()
  store.hear(server.changes)
  expect(store.items.blocks.get('a')?.x).toBe(2)
  expect(store.seq()).toBe(2)
})

test('removing a group frees what is in it and cuts its connections; undoing brings all of it back', async () => {
  const { store, server, settled } = open()
  store.change({
    create: {
      blocks: [blockOf('g', { type: 'group' }), blockOf('a', { parentId: 'g' }), blockOf('b')],
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
  await settled()
  expect(server.canvas()).toMatchObject({ items: [{ id: 'a', parentId: null }, { id: 'b' }], edges: [] })
})

test('a group can go and say where what is in it goes', async () => {
  const { store, server, told, settled } = open()
  store.change({
    create: {
      blocks: [
        blockOf('outer', { type: 'group' }),
        blockOf('g', { type: 'group', parentId: 'outer' }),
        blockOf('a', { parentId: 'g' }),
      ],
    },
  })
  store.change({ update: { blocks: [{ id: 'a', parentId: 'outer' }] }, delete: { blocks: ['g'] } })
  await settled()
  expect(told).toEqual([])
  expect(server.canvas().items).toMatchObject([{ id: 'outer' }, { id: 'a', parentId: 'outer' }])
})

test('more than one call can say is sent as several, and undone as one', async () => {
  const { store, server, sent, told, settled } = open()
  const ids = Array.from({ length: 2500 }, (_, index) => `${index}`)
  const inGroup = ids.map((id) => blockOf(id, { parentId: 'g', content: 'word'.repeat(50) }))
  store.change({ create: { blocks: [...inGroup, blockOf('g', { type: 'group' })] } })
  await settled()
  expect(sent.length).toBe(3)
  store.change({ update: { blocks: ids.map((id) => ({ id, x: 5 })) } })
  store.change({ delete: { blocks: [...ids, 'g'] } })
  await settled()
  expect(server.canvas().items).toEqual([])
  store.undo()
  await settled()
  expect(told).toEqual([])
  expect(server.canvas().items).toHaveLength(2501)
  expect(server.canvas().items.every(({ x, id }) => x === (id === 'g' ? 0 : 5))).toBe(true)
})

test('small steps of one kind are undone as one, and a new step ends what could be redone', () => {
  const { store } = open()
  store.change({ create: { blocks: [blockOf('a')] } })
  for (const x of [1, 2, 3]) store.change({ update: { blocks: [{ id: 'a', x }] } }, 'nudge')
  store.undo()
  expect(store.items.blocks.get('a')?.x).toBe(0)
  expect(store.ways.get()).toEqual({ undo: true, redo: true })
  store.change({ update: { blocks: [{ id: 'a', y: 4 }] } })
  expect(store.redo()).toBe(false)
  store.undo()
  store.undo()
  expect(store.items.blocks.size).toBe(0)
  expect(store.undo()).toBe(false)
})

test('a step that others have made void is passed over', async () => {
  const { store, server, settled } = open()
  store.change({ create: { blocks: [blockOf('a'), blockOf('b')] } })
  store.change({ update: { blocks: [{ id: 'b', x: 5 }] } })
  store.change({ update: { blocks: [{ id: 'a', x: 5 }] } })
  await settled()
  server.send({ ...noWrite(), delete: { blocks: ['a'], edges: [] } }, 'somebody else')
  store.hear(server.changes)
  store.undo()
  expect(store.items.blocks.get('b')?.x).toBe(0)
})

const noWrite = (): Write => ({
  create: { blocks: [], edges: [] },
  update: { blocks: [], edges: [] },
  delete: { blocks: [], edges: [] },
})
