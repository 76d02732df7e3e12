import { expect, it } from 'vitest'
import { createBatches } from './batches.ts'

const LIMITS = { running: 1, items: 3, bytes: 100, waitingItems: 4, waitingBytes: 1000, waitMs: 2 ** 31 - 1 }

/** Batches whose runs end when the test ends them. */
function controlledBatches(limits: Partial<typeof LIMITS> = {}) {
  const runs: { items: string[]; end: (error?: Error) => void }[] = []
  const batches = createBatches<{ key: string; bytes: number }, string>({
    name: 'items',
    ...LIMITS,
    ...limits,
    isCausedByItem: (error) => (error as Error).message === 'item',
    run: (group, items) =>
      new Promise((resolve, reject) => {
        const names = items.map(({ key }) => `${group}:${key}`)
        runs.push({ items: names, end: (error) => (error ? reject(error) : resolve(names)) })
      }),
  })
  const add = (group: string, key: string, bytes = 1) => batches.add(group, { key, bytes })
  const started = () => runs.map(({ items }) => items.join(' '))
  return { runs, started, add, size: batches.size }
}

it('runs the first item immediately, and items that arrive meanwhile together', async () => {
  const { runs, started, add, size } = controlledBatches()
  const results = ['1', '2', '3', '4', '5'].map((key) => add('a', key))
  expect(started()).toEqual(['a:1'])
  runs[0]!.end()
  await expect.poll(started).toEqual(['a:1', 'a:2 a:3 a:4'])
  runs[1]!.end()
  await expect.poll(started).toEqual(['a:1', 'a:2 a:3 a:4', 'a:5'])
  runs[2]!.end()
  expect(await Promise.all(results)).toEqual(['a:1', 'a:2', 'a:3', 'a:4', 'a:5'])
  await expect.poll(size).toBe(0)
})

it("starts one group's items while another group is blocked", () => {
  const { started, add } = controlledBatches()
  void add('a', '1')
  void add('a', '2')
  void add('b', '1')
  expect(started()).toEqual(['a:1', 'b:1'])
})

it('separates items with the same key and items too large to combine', async () => {
  const { runs, started, add } = controlledBatches()
  const results = [add('a', '0'), add('a', '1', 60), add('a', '1', 60), add('a', '2', 60), add('a', '3', 40)]
  for (let run = 0; run < 4; run++) {
    await expect.poll(() => runs.length).toBe(run + 1)
    runs[run]!.end()
  }
  await Promise.all(results)
  expect(started()).toEqual(['a:0', 'a:1 a:3', 'a:1', 'a:2'])
})

it("runs a batch's items separately if one of them made it fail", async () => {
  const { runs, started, add } = controlledBatches()
  const results = Promise.allSettled(['0', '1', '2'].map((key) => add('a', key)))
  runs[0]!.end()
  await expect.poll(started).toEqual(['a:0', 'a:1 a:2'])
  runs[1]!.end(new Error('item'))
  await expect.poll(() => runs.length).toBe(3)
  runs[2]!.end(new Error('item'))
  await expect.poll(() => runs.length).toBe(4)
  runs[3]!.end()
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it("fails a batch's items together for any other reason", async () => {
  const { runs, add } = controlledBatches()
  const results = Promise.allSettled(['0', '1', '2'].map((key) => add('a', key)))
  runs[0]!.end()
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end(new Error('connection'))
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
})

it("refuses an item if its group's queue is too long or too large, and accepts another group's item", async () => {
  const { runs, add } = controlledBatches()
  for (const key of ['0', '1', '2', '3', '4']) void add('a', key)
  await expect(add('a', '5')).rejects.toMatchObject({ name: 'Busy', code: 'RATE_LIMITED' })
  void add('b', '0')
  void add('b', '1', 1000)
  await expect(add('b', '2')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(runs).toHaveLength(2)
})
