import { detached, refuseInTransaction } from './work-scope.ts'

interface Options<T> {
  /** Whether a result is a failure, which is stored. */
  isFailure: (result: T) => boolean
  /** How long a failure is stored. Its cause may have been a busy machine. */
  storedMs?: number
  /** How many failures are stored; beyond this the oldest is removed. */
  failuresMax?: number
  now?: () => number
}

const STORED_MS = 600_000
const FAILURES_MAX = 1000

/** Does the same work once for all concurrent callers, and repeats a failure only after a pause. */
export function createSingleFlight<T>(options: Options<T>) {
  const { isFailure, storedMs = STORED_MS, failuresMax = FAILURES_MAX, now = Date.now } = options
  const running = new Map<string, Promise<T>>()
  const failures = new Map<string, { result: T; until: number }>()

  async function begin(key: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      if (isFailure(result)) storeFailure(key, result)
      return result
    } finally {
      running.delete(key)
    }
  }

  function storeFailure(key: string, result: T): void {
    failures.delete(key)
    failures.set(key, { result, until: now() + storedMs })
    const [oldest] = failures.keys()
    if (failures.size > failuresMax) failures.delete(oldest!)
  }

  /** The key identifies the work and the organization that it is for. */
  return async (key: string, work: () => Promise<T>): Promise<T> => {
    refuseInTransaction('the work of another call')
    const failure = failures.get(key)
    if (failure && failure.until > now()) return failure.result
    const started = running.get(key) ?? detached(() => begin(key, work))
    running.set(key, started)
    return started
  }
}
