import { expect, onTestFinished, test, vi } from 'vitest'
import { createPresence, createPresenceSender, type PresenceState } from '../../../live/presence.ts'
import { createBatcher } from './batcher.ts'

const presenceOf = (client: string, x: number) => ({
  client,
  userId: null,
  name: 'Guest',
  guest: true,
  cursor: { x, y: 0 },
  selection: [],
  tableId: null as string | null,
})

test('presence adds, moves and removes participants, and excludes its own client', () => {
  const presence = createPresence({ client: 'me', userId: null, tableId: null })
  presence.apply({ name: 'ready', data: { seq: 0, here: [presenceOf('one', 1), presenceOf('me', 1)] } })
  presence.apply({ name: 'presence', data: presenceOf('two', 5) })
  presence.apply({ name: 'presence', data: presenceOf('one', 2) })
  expect(presence.all.get().map(({ client, cursor }) => [client, cursor?.x])).toEqual([
    ['one', 2],
    ['two', 5],
  ])
  presence.apply({ name: 'left', data: { client: 'one', userId: null } })
  expect(presence.all.get()).toHaveLength(1)
  presence.apply({ name: 'ready', data: { seq: 0, here: [] } })
  expect(presence.all.get()).toEqual([])
  presence.stop()
})

test('presence is that of one table, or of the canvas', () => {
  const presence = createPresence({ client: 'me', userId: null, tableId: 'tasks' })
  const atTable = { ...presenceOf('one', 1), tableId: 'tasks' }
  presence.apply({ name: 'ready', data: { seq: 0, here: [atTable, presenceOf('two', 1)] } })
  presence.apply({ name: 'presence', data: { ...presenceOf('three', 1), tableId: 'people' } })
  expect(presence.all.get().map(({ client }) => client)).toEqual(['one'])
  presence.apply({ name: 'presence', data: presenceOf('one', 1) })
  expect(presence.all.get()).toEqual([])
  presence.stop()
})

test('presence keeps idle timers only for participants on the canvas', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const presence = createPresence({ client: 'me', userId: null, tableId: null })
  const here = ['one', 'two', 'three'].map((client) => presenceOf(client, 1))
  presence.apply({ name: 'ready', data: { seq: 0, here } })
  expect(vi.getTimerCount()).toBe(3)
  presence.apply({ name: 'left', data: { client: 'one', userId: null } })
  expect(vi.getTimerCount()).toBe(2)
  presence.apply({ name: 'ready', data: { seq: 0, here: [presenceOf('three', 1)] } })
  expect(vi.getTimerCount()).toBe(1)
  vi.runAllTimers()
  expect(presence.all.get()).toMatchObject([{ client: 'three', idle: true }])
})

test("presence excludes the same user's other windows, such as the one before a reload", () => {
  const presence = createPresence({ client: 'now', userId: 'ada', tableId: null })
  const here = [
    { ...presenceOf('before', 1), userId: 'ada', guest: false },
    { ...presenceOf('other', 2), userId: 'bob', guest: false },
  ]
  presence.apply({ name: 'ready', data: { seq: 0, here } })
  presence.apply({ name: 'presence', data: here[0]! })
  expect(presence.all.get().map(({ client }) => client)).toEqual(['other'])
  presence.stop()
})

test('the presence sender throttles cursor updates and always sends the last position', async () => {
  const sent: PresenceState[] = []
  const sender = createPresenceSender(async (state) => void sent.push(state))
  for (let x = 0; x < 100; x++) sender.move({ x, y: 0 })
  sender.select(['a'])
  await expect.poll(() => sent.at(-1)).toEqual({ cursor: { x: 99, y: 0 }, selection: ['a'] })
  expect(sent).toHaveLength(1)
  sender.move({ x: 99.2, y: 0 })
  sender.resend()
  await expect.poll(() => sent.length).toBe(2)
  sender.stop()
})

test("a batcher passes on one frame's items together, in order", async () => {
  const received: number[][] = []
  const batcher = createBatcher<number>((items) => received.push(items))
  batcher.add(1)
  batcher.add(2)
  expect(received).toEqual([])
  batcher.flush()
  batcher.add(3)
  await expect.poll(() => received).toEqual([[1, 2], [3]])
})
