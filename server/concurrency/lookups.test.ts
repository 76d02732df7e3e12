import { expect, test } from 'vitest'
import { createLookups } from './lookups.ts'
import { inTransactionScope } from './work-scope.ts'

/** Searches end when the test says so. */
function heldLookups({ running = 1, keys = 10 } = {}) {
  const searches: { keys: string[]; end: PromiseWithResolvers<void> }[] = []
  const lookup = createLookups<string, string>({
    ...{ nameOf: (key) => key, running, keys },
    find: async (keys) => {
      const search = { keys, end: Promise.withResolvers<void>() }
      searches.push(search)
      await search.end.promise
      return keys.map((key) => (key === 'unknown' ? null : `found ${key}`))
    },
  })
  const searched = (count: number) => expect.poll(() => searches.length).toBe(count)
  return { lookup, searches, searched }
}

test('calls in one turn of the event loop share a search, and equal keys their place', async () => {
  const { lookup, searches, searched } = heldLookups()
  const results = Promise.all(['a', 'b', 'a', 'unknown'].map(lookup))
  await searched(1)
  expect(searches[0]!.keys).toEqual(['a', 'b', 'unknown'])
  searches[0]!.end.resolve()
  expect(await results).toEqual(['found a', 'found b', 'found a', null])
})

test('a call never joins a search that has begun, even for the same key', async () => {
  const { lookup, searches, searched } = heldLookups()
  const first = lookup('a')
  await searched(1)
  const later = Promise.all([lookup('a'), lookup('b')])
  searches[0]!.end.resolve()
  await first
  await searched(2)
  expect(searches[1]!.keys).toEqual(['a', 'b'])
  searches[1]!.end.resolve()
  await later
})

test('a second search starts while the first runs, and each takes a limited number of keys', async () => {
  const { lookup, searches, searched } = heldLookups({ running: 2, keys: 2 })
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(lookup))
  await searched(2)
  expect(searches.map(({ keys }) => keys)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  searches[0]!.end.resolve()
  await searched(3)
  for (const { end } of searches) end.resolve()
  await all
})

test("a failed search fails its own calls, and the next one isn't affected", async () => {
  const { lookup, searches, searched } = heldLookups()
  const failing = lookup('a')
  await searched(1)
  const next = lookup('b')
  searches[0]!.end.reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await searched(2)
  searches[1]!.end.resolve()
  expect(await next).toBe('found b')
})

test('a transaction must not wait for a search', async () => {
  const { lookup } = heldLookups()
  await expect(inTransactionScope(async () => lookup('a'))).rejects.toThrow('A transaction must not wait for')
})
