import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'
import { createOthers } from './presence.ts'
import { createWhereabouts, type Whereabouts } from './send-presence.ts'

const presence = (client: string, x: number) => ({
  client,
  userId: null,
  name: 'Guest',
  guest: true,
  cursor: { x, y: 0 },
  selection: [],
})

test('others come, move and leave; we are none of them', () => {
  const others = createOthers('me')
  others.hear({ name: 'ready', data: { seq: 0, here: [presence('one', 1), presence('me', 1)] } })
  others.hear({ name: 'presence', data: presence('two', 5) })
  others.hear({ name: 'presence', data: presence('one', 2) })
  expect(others.all.get().map(({ client, cursor }) => [client, cursor?.x])).toEqual([
    ['one', 2],
    ['two', 5],
  ])
  others.hear({ name: 'left', data: { client: 'one', userId: null } })
  expect(others.all.get()).toHaveLength(1)
  others.hear({ name: 'ready', data: { seq: 0, here: [] } })
  expect(others.all.get()).toEqual([])
  others.stop()
})

test('a cursor that moves often is told seldom, but where it stopped is always told', async () => {
  const said: Whereabouts[] = []
  const where = createWhereabouts(async (now) => void said.push(now))
  for (let x = 0; x < 100; x++) where.move({ x, y: 0 })
  where.select(['a'])
  await expect.poll(() => said.at(-1)).toEqual({ cursor: { x: 99, y: 0 }, selection: ['a'] })
  expect(said).toHaveLength(1)
  where.move({ x: 99.2, y: 0 })
  where.again()
  await expect.poll(() => said.length).toBe(2)
  where.stop()
})

test('what is told in quick succession is handed on together, in its order', async () => {
  const taken: number[][] = []
  const batches = inBatches<number>((items) => taken.push(items))
  batches.add(1)
  batches.add(2)
  expect(taken).toEqual([])
  batches.flush()
  batches.add(3)
  await expect.poll(() => taken).toEqual([[1, 2], [3]])
})
