import { expect, test } from 'vitest'
import { createCombinedCalls } from './combined-calls.ts'

/** Calls whose batches end when the test resolves them. */
function controlledCalls(batchMax = 10) {
  const batches: { items: string[]; end: PromiseWithResolvers<PromiseSettledResult<string>[]> }[] = []
  const run = (items: string[]) => {
    batches.push({ items, end: Promise.withResolvers() })
    return batches.at(-1)!.end.promise
  }
  const succeed = (index: number) => {
    const { items, end } = batches[index]!
    end.resolve(items.map((item) => ({ status: 'fulfilled', value: item })))
  }
  return { batches, succeed, calls: createCombinedCalls({ run, batchMax }) }
}

test('runs a call at once, and combines those that arrive before its end', async () => {
  const { batches, succeed, calls } = controlledCalls()
  const first = calls.add('a', '1')
  const others = ['2', '3', '4'].map((item) => calls.add('a', item))
  expect([batches.map(({ items }) => items), calls.waitingOf('a')]).toEqual([[['1']], 3])
  succeed(0)
  expect(await first).toBe('1')
  expect(batches[1]!.items).toEqual(['2', '3', '4'])
  succeed(1)
  expect(await Promise.all(others)).toEqual(['2', '3', '4'])
})

test('runs the batches of different keys at once, and none above the limit', async () => {
  const { batches, succeed, calls } = controlledCalls(2)
  const all = ['1', '2', '3', '4'].map((item) => calls.add('a', item))
  const other = calls.add('b', '5')
  expect(batches.map(({ items }) => items)).toEqual([['1'], ['5']])
  succeed(0)
  await all[0]
  succeed(2)
  await all[2]
  succeed(3)
  expect(await all[3]).toBe('4')
  expect(batches.map(({ items }) => items)).toEqual([['1'], ['5'], ['2', '3'], ['4']])
  succeed(1)
  expect(await other).toBe('5')
})

test('gives each call its own failure, and continues after a failed batch', async () => {
  const { batches, succeed, calls } = controlledCalls()
  const first = calls.add('a', '1')
  const others = Promise.allSettled([calls.add('a', '2'), calls.add('a', '3')])
  batches[0]!.end.reject(new Error('all'))
  await expect(first).rejects.toThrow('all')
  const last = calls.add('a', '4')
  batches[1]!.end.resolve([
    { status: 'rejected', reason: 'own' },
    { status: 'fulfilled', value: '3' },
  ])
  expect(await others).toEqual([
    { status: 'rejected', reason: 'own' },
    { status: 'fulfilled', value: '3' },
  ])
  succeed(2)
  expect(await last).toBe('4')
})
