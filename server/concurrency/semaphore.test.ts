import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSemaphore, type Release } from './semaphore.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

interface Task {
  id: number
  key: string
  state: 'waiting' | 'running' | 'ended' | 'refused'
  release?: Release
  abort: AbortController
}

/** A semaphore with a record of its tasks. The test ends the tasks. */
function recordedSemaphore(options: Omit<Parameters<typeof createSemaphore>[0], 'name' | 'waitMs'>) {
  const semaphore = createSemaphore({ name: 'tests', waitMs: 60_000, ...options })
  const tasks: Task[] = []
  const started: Task[] = []
  return {
    semaphore,
    tasks,
    started,
    in: (state: Task['state'], key?: string) =>
      tasks.filter((task) => task.state === state && (key === undefined || task.key === key)),
    arrive: (key: string): Task => {
      const task: Task = { id: tasks.length, key, state: 'waiting', abort: new AbortController() }
      tasks.push(task)
      semaphore.acquire(key, task.abort.signal).then(
        (release) => {
          Object.assign(task, { state: 'running', release })
          started.push(task)
        },
        () => (task.state = task.abort.signal.aborted ? 'ended' : 'refused'),
      )
      return task
    },
    end: (task: Task) => {
      task.state = 'ended'
      task.release!()
    },
  }
}

describe('a semaphore', () => {
  test('alternates between keys, first come, first served within a key', async () => {
    const { arrive, end, in: tasksIn, started } = recordedSemaphore({ permits: 1 })
    for (const key of ['busy', 'busy', 'busy', 'busy', 'other', 'third', 'other']) arrive(key)
    for (let left = 7; left > 0; left--) {
      await settle()
      end(tasksIn('running')[0]!)
    }
    expect(started.map(({ key, id }) => `${key} ${id}`)).toEqual([
      'busy 0',
      'other 4',
      'third 5',
      'busy 1',
      'other 6',
      'busy 2',
      'busy 3',
    ])
  })

  test("starts another key's task immediately while one key waits at its limit", async () => {
    const { arrive } = recordedSemaphore({ permits: 4, permitsPerKey: 3 })
    const busy = Array.from({ length: 50 }, () => arrive('busy'))
    const other = arrive('other')
    await settle()
    expect(busy.filter(({ state }) => state === 'running')).toHaveLength(3)
    expect(other.state).toBe('running')
  })

  test("refuses a task with RATE_LIMITED beyond its key's queue, and UNAVAILABLE beyond the total", async () => {
    const { semaphore, arrive } = recordedSemaphore({
      permits: 1,
      waitingPerKeyMax: 1,
      waitingMax: 2,
      retryAfterS: 7,
    })
    for (const key of ['a', 'a']) arrive(key)
    const expected = { name: 'Busy', retryAfterS: 7 }
    await expect(semaphore.acquire('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', ...expected })
    arrive('b')
    await expect(semaphore.acquire('c')).rejects.toMatchObject({ code: 'UNAVAILABLE', ...expected })
  })

  test("refuses the longest queue's last task when another key finds the queue full", async () => {
    const { arrive, in: tasksIn, semaphore } = recordedSemaphore({ permits: 1, waitingMax: 5 })
    for (const key of ['a', 'a', 'a', 'a', 'b', 'b']) arrive(key)
    const other = arrive('other')
    await settle()
    expect(other.state).toBe('waiting')
    expect(tasksIn('refused').map(({ id }) => id)).toEqual([3])
    // No key has two waiting tasks more than the key of the arriving task.
    arrive('a')
    arrive('other')
    await settle()
    expect(tasksIn('refused').map(({ id }) => id)).toEqual([3, 7, 8])
    expect(semaphore.size()).toEqual({ running: 1, waiting: 5, keys: 3 })
  })

  test("releases a failed task's permit", async () => {
    const { run, size } = createSemaphore({ name: 'tests', permits: 1, waitMs: 60_000 })
    const failing = run('a', () => Promise.reject(new Error('failed')))
    const next = run('a', async () => 'done')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('done')
    expect(size()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  test('removes a waiting task when its signal aborts', async () => {
    const { run, size } = createSemaphore({ name: 'tests', permits: 1, waitMs: 60_000 })
    const first = Promise.withResolvers<void>()
    const running = run('a', () => first.promise)
    const abort = new AbortController()
    const waiting = run('b', async () => expect.unreachable(), abort.signal)
    abort.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(run('b', async () => expect.unreachable(), abort.signal)).rejects.toThrow('gone')
    expect(size()).toEqual({ running: 1, waiting: 0, keys: 1 })
    first.resolve()
    await running
    expect(size()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })
})

describe('a semaphore with arbitrary arrivals, ends and aborts', () => {
  const KEYS = ['a', 'b', 'c']
  const actions = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('arrive'), key: fc.constantFrom(...KEYS) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('end'), nth: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('abort'), nth: fc.nat(20) }) },
    ),
    { maxLength: 60 },
  )
  const limits = fc.record({
    permits: fc.integer({ min: 1, max: 4 }),
    permitsPerKey: fc.integer({ min: 1, max: 4 }),
    waitingPerKeyMax: fc.integer({ min: 0, max: 5 }),
  })

  test('keeps its limits, leaves no usable permit idle, and lets no key be overtaken twice', async () => {
    await fc.assert(
      fc.asyncProperty(limits, actions, async (options, steps) => {
        const { semaphore, tasks, started, arrive, end, in: tasksIn } = recordedSemaphore(options)
        /** For each waiting key below its limit: how often each other key started since. */
        const overtaken = new Map(KEYS.map((key) => [key, new Map<string, number>()]))
        const mayStart = (key: string) =>
          tasksIn('waiting', key).length > 0 && tasksIn('running', key).length < options.permitsPerKey

        for (const step of steps) {
          const eligible = KEYS.filter(mayStart)
          const startedBefore = started.length
          if ('key' in step) arrive(step.key)
          else {
            const candidates = tasksIn(step.do === 'end' ? 'running' : 'waiting')
            const chosen = candidates[step.nth % candidates.length]
            if (chosen && step.do === 'end') end(chosen)
            else chosen?.abort.abort()
          }
          await settle()

          const starts = started.slice(startedBefore)
          for (const key of KEYS) {
            const others = overtaken.get(key)!
            if (!eligible.includes(key) || starts.some((task) => task.key === key)) others.clear()
            else for (const other of starts) others.set(other.key, (others.get(other.key) ?? 0) + 1)
            expect(Math.max(0, ...others.values())).toBeLessThanOrEqual(1)
            expect(tasksIn('running', key).length).toBeLessThanOrEqual(options.permitsPerKey)
            expect(tasksIn('waiting', key).length).toBeLessThanOrEqual(options.waitingPerKeyMax)
            const order = started.filter((task) => task.key === key).map(({ id }) => id)
            expect(order).toEqual(order.toSorted((a, b) => a - b))
          }
          const running = tasksIn('running').length
          expect(running).toBeLessThanOrEqual(options.permits)
          if (KEYS.some(mayStart)) expect(running).toBe(options.permits)
          const refused = tasksIn('refused')
          expect(refused.every(({ id }) => !started.some((task) => task.id === id))).toBe(true)
        }

        while (tasksIn('running').length > 0) {
          end(tasksIn('running')[0]!)
          await settle()
        }
        expect(tasks.filter(({ state }) => state === 'waiting')).toEqual([])
        expect(semaphore.size()).toEqual({ running: 0, waiting: 0, keys: 0 })
      }),
      { numRuns: 150 },
    )
  })
})
