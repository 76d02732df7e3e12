import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

type Outcome = 'done' | 'failed'

/** Counts how often work with one outcome is done. */
function countedSingleFlight(
  outcome: Outcome | Error,
  options: Omit<Parameters<typeof createSingleFlight<Outcome>>[0], 'isFailure'> = {},
) {
  const once = createSingleFlight<Outcome>({ isFailure: (result) => result === 'failed', ...options })
  const keys: string[] = []
  const perform = (key: string) =>
    once(key, async () => {
      keys.push(key)
      if (outcome instanceof Error) throw outcome
      return outcome
    })
  return { perform, keys }
}

test('a single flight does the same work once for concurrent callers', async () => {
  const { perform, keys } = countedSingleFlight('done')
  expect(await Promise.all([perform('a'), perform('a'), perform('b'), perform('a')])).toHaveLength(4)
  expect(keys).toEqual(['a', 'b'])
  await perform('a')
  expect(keys).toEqual(['a', 'b', 'a'])
})

test('a single flight repeats failed work after a pause, which doubles with each failure in a row', async () => {
  let now = 0
  let outcome: Outcome = 'failed'
  const once = createSingleFlight<Outcome>({
    ...{ isFailure: (result) => result === 'failed', now: () => now, pauseMs: 100, pauseMsMax: 300 },
  })
  /** Whether the work is done again at each time. */
  const repeats = async (...times: number[]) => {
    const done: boolean[] = []
    for (const time of times) {
      now = time
      let isDone = false
      await once('a', async () => {
        isDone = true
        return outcome
      })
      done.push(isDone)
    }
    return done
  }
  expect(await repeats(0, 99, 100, 299, 300, 599, 600, 899)).toEqual([
    ...[true, false, true, false, true, false, true, false],
  ])
  outcome = 'done'
  expect(await repeats(900)).toEqual([true])
  outcome = 'failed'
  expect(await repeats(901, 1000, 1001)).toEqual([true, false, true])
})

test('a single flight stores a limited number of failures', async () => {
  const { perform, keys } = countedSingleFlight('failed', { failuresMax: 2 })
  for (const key of ['a', 'b', 'c', 'c', 'a']) await perform(key)
  expect(keys).toEqual(['a', 'b', 'c', 'a'])
})

test('a single flight does the work again after an error', async () => {
  const { perform, keys } = countedSingleFlight(new Error('the store failed'))
  await expect(perform('a')).rejects.toThrow('the store failed')
  await expect(perform('a')).rejects.toThrow('the store failed')
  expect(keys).toEqual(['a', 'a'])
})
