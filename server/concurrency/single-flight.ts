interface Options<T> {
  /** Whether a result is remembered. */
  isFailure: (result: T) => boolean
  /** How long a failure is remembered. Its cause may have been a busy machine. */
  rememberedMs?: number
  /** How many failures are remembered; beyond this the oldest is forgotten. */
  failuresMax?: number
  now?: () => number
}

const REMEMBERED_MS = 600_000
const FAILURES_MAX = 1000

/** Does the same work once for all concurrent callers, and repeats a failure only after a pause. */
export function createSingleFlight<T>(options: Options<T>) {
  const { isFailure, rememberedMs = REMEMBERED_MS, failuresMax = FAILURES_MAX, now = Date.now } = options
  const running = new Map<string, Promise<T>>()
  const failures = new Map<string, { result: T; until: number }>()

  async function begin(key: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      if (isFailure(result)) remember(key, result)
      return result
    } finally {
      running.delete(key)
    }
  }

  function remember(key: string, result: T): void {
    failures.delete(key)
    failures.set(key, { result, until: now() + rememberedMs })
    const [oldest] = failures.keys()
    if (failures.size > failuresMax) failures.delete(oldest!)
  }

  /** The key identifies the work and the organization that it is for. */
  return async (key: string, work: () => Promise<T>): Promise<T> => {
    const failure = failures.get(key)
    if (failure && failure.until > now()) return failure.result
    const started = running.get(key) ?? begin(key, work)
    running.set(key, started)
    return started
  }
}
