import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurns, inTurn, leaveTurn, type TurnKey, type TurnLimits } from './turns.ts'

const organization = (name: string): TurnKey => ({ name, isTrusted: true })
const network = (name: string): TurnKey => ({ name, isTrusted: false })
const GREEDY = organization('greedy')
const QUIET = organization('quiet')

/** Records the order in which handlers start, and ends them on demand. */
function track(limits: Partial<TurnLimits> = {}) {
  const turns = createTurns({
    running: 32,
    runningPerKey: 8,
    startsPerKey: Infinity,
    untrustedStarts: Infinity,
    ...limits,
  })
  const started: string[] = []
  const refusals: unknown[] = []
  const releases: (() => void)[] = []
  const request = (key: TurnKey, signal?: () => AbortSignal) =>
    Promise.resolve()
      .then(() => turns.begin(key, signal))
      .then(
        (release) => {
          started.push(key.name)
          releases.push(release)
        },
        (error) => refusals.push(error),
      )
  return {
    turns,
    started,
    refusals,
    request,
    send: (key: TurnKey, count: number) => void Array.from({ length: count }, () => request(key)),
    /** Ends the handler that started first. */
    endNext: async () => {
      releases.shift()!()
      await settle()
    },
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

/** Lets everything end that does not wait for the next iteration of the event loop. */
async function runPromises(): Promise<void> {
  for (let n = 0; n < 100; n++) await Promise.resolve()
}

async function nextIteration(): Promise<void> {
  vi.advanceTimersToNextTimer()
  await runPromises()
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('turns', () => {
  test('let a lone organization use them all', async () => {
    const { turns, started, send } = track()
    send(GREEDY, 200)
    await settle()
    expect(started).toHaveLength(32)
    expect(turns.size()).toEqual({ running: 32, waiting: 168, keys: 1 })
  })

  test("start an organization's first handler at once while another has 200 waiting", async () => {
    const { started, send } = track()
    send(GREEDY, 200)
    await settle()
    send(QUIET, 1)
    await settle()
    expect(started.at(-1)).toBe('quiet')
  })

  test('limit an organization to eight handlers while another is active', async () => {
    const { turns, started, send, endNext } = track()
    send(QUIET, 1)
    send(GREEDY, 200)
    await settle()
    expect(started.filter((name) => name === 'greedy')).toHaveLength(8)
    // The quiet organization has no request now, and stays active for a second.
    await endNext()
    expect(turns.size()).toMatchObject({ running: 8, keys: 1 })
    await vi.advanceTimersByTimeAsync(1100)
    expect(turns.size().running).toBeGreaterThan(8)
  })

  test('let an organization start four handlers per event loop iteration, even if each ends at once', async () => {
    const { turns, started, send } = track({ startsPerKey: 4 })
    send(QUIET, 1)
    await settle()
    for (let n = 0; n < 20; n++)
      void Promise.resolve(turns.begin(GREEDY)).then((release) => {
        started.push('greedy')
        release()
      })
    const countGreedy = () => started.filter((name) => name === 'greedy').length
    await runPromises()
    expect(countGreedy()).toBe(4)
    await nextIteration()
    expect(countGreedy()).toBe(8)
    for (let n = 0; n < 3; n++) await nextIteration()
    expect(countGreedy()).toBe(20)
  })

  test('let all networks together start eight handlers per iteration', async () => {
    const { turns, started } = track({ untrustedStarts: 8 })
    for (let n = 0; n < 40; n++)
      void Promise.resolve(turns.begin(network(`network ${n}`))).then((release) => {
        started.push(`network ${n}`)
        release()
      })
    await runPromises()
    expect(started).toHaveLength(8)
    for (let n = 0; n < 4; n++) await nextIteration()
    expect(started).toHaveLength(40)
  })

  test("start one handler for each waiting key before any key's second", async () => {
    const { started, send, endNext } = track({ running: 4 })
    send(organization('a'), 7)
    for (const name of ['b', 'c', 'd']) send(network(name), 3)
    await settle()
    for (let n = 0; n < 12; n++) await endNext()
    expect(started.join('')).toBe('aaaaabcdabcdabcd')
  })

  test("make networks wait, so many networks can't exceed the total", async () => {
    const { turns, send } = track()
    for (let n = 0; n < 100; n++) send(network(`network ${n}`), 1)
    await settle()
    expect(turns.size()).toMatchObject({ running: 32, waiting: 68 })
  })

  test("refuse a request beyond its organization's queue with RATE_LIMITED", async () => {
    const { refusals, send } = track({ waitingPerKey: 10 })
    send(QUIET, 1)
    send(GREEDY, 20)
    await settle()
    expect(refusals).toHaveLength(2)
    expect(refusals[0]).toMatchObject({ name: 'Busy', code: 'RATE_LIMITED', retryAfterS: 1 })
  })

  test('refuse from the longest queue when the total queue is full', async () => {
    const { turns, refusals, send } = track({ waiting: 20 })
    send(QUIET, 1)
    send(GREEDY, 28)
    await settle()
    send(QUIET, 9)
    await settle()
    expect(refusals).toHaveLength(2)
    expect(turns.size()).toEqual({ running: 16, waiting: 20, keys: 2 })
  })

  test('end a wait with UNAVAILABLE after five seconds', async () => {
    const { turns, refusals, send } = track({ countedMs: Infinity })
    send(QUIET, 1)
    send(GREEDY, 9)
    await vi.advanceTimersByTimeAsync(5200)
    expect(refusals).toEqual([expect.objectContaining({ code: 'UNAVAILABLE' })])
    expect(turns.size().waiting).toBe(0)
  })

  test('stop counting a handler that runs for over a second', async () => {
    const { started, send } = track()
    send(QUIET, 1)
    send(GREEDY, 9)
    await settle()
    send(QUIET, 1)
    expect(started).toHaveLength(9)
    await vi.advanceTimersByTimeAsync(1200)
    expect(started.filter((name) => name === 'greedy')).toHaveLength(9)
  })

  test('forget a request whose client has disconnected', async () => {
    const { turns, refusals, request, send, endNext } = track()
    send(QUIET, 1)
    send(GREEDY, 8)
    const abort = new AbortController()
    void request(GREEDY, () => abort.signal)
    await settle()
    expect(turns.size().waiting).toBe(1)
    abort.abort(new Error('gone'))
    await settle()
    expect(refusals).toEqual([new Error('gone')])
    for (let n = 0; n < 9; n++) await endNext()
    expect(turns.size()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  test('end when a handler starts waiting for something else', async () => {
    const turns = createTurns()
    await inTurn(await turns.begin(QUIET), async () => {
      expect(turns.size().running).toBe(1)
      await Promise.resolve()
      leaveTurn()
      expect(turns.size().running).toBe(0)
    })
    await expect(
      inTurn(await turns.begin(QUIET), () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow()
    expect(turns.size()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  test('start a handler without a promise while turns are free', () => {
    expect(createTurns().begin(QUIET)).toBeTypeOf('function')
  })
})
