import { describe, expect, test } from 'vitest'
import { createCoalescedTask } from './coalesced-task.ts'

/** A task whose runs the test ends. */
function controlledTask() {
  const runs: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const run = () => {
    runs.push(Promise.withResolvers())
    return runs.at(-1)!.promise
  }
  return { runs, errors, task: createCoalescedTask(run, (error) => errors.push(error)) }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('createCoalescedTask', () => {
  test('runs immediately when idle', async () => {
    const { task, runs } = controlledTask()
    task.schedule()
    expect(runs).toHaveLength(1)
    runs[0]!.resolve()
    await task.untilIdle()
    task.schedule()
    expect(runs).toHaveLength(2)
  })

  test('coalesces all requests made during a run into one more run', async () => {
    const { task, runs } = controlledTask()
    task.schedule()
    task.schedule()
    task.schedule()
    await settle()
    expect(runs).toHaveLength(1)
    runs[0]!.resolve()
    await settle()
    expect(runs).toHaveLength(2)
    runs[1]!.resolve()
    await task.untilIdle()
    expect(runs).toHaveLength(2)
  })

  test('runs again when a run requests it', async () => {
    let remainingRuns = 3
    const task = createCoalescedTask(
      async () => {
        if (--remainingRuns > 0) task.schedule()
      },
      () => {},
    )
    task.schedule()
    await task.untilIdle()
    expect(remainingRuns).toBe(0)
  })

  test('reports an error and still serves a request made during the failed run', async () => {
    const { task, runs, errors } = controlledTask()
    task.schedule()
    task.schedule()
    runs[0]!.reject(new Error('first'))
    await settle()
    expect(errors).toEqual([new Error('first')])
    expect(runs).toHaveLength(2)
    runs[1]!.resolve()
    await task.untilIdle()
    task.schedule()
    expect(runs).toHaveLength(3)
  })
})
