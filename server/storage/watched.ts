import type { Logger } from 'pino'
import type { ObjectStore, StorageCheck } from './object-store.ts'
import { ObjectStoreUnavailable } from './unavailable.ts'

/** A failing store is checked more often to notice recovery soon. */
const CHECK_EVERY_MS = { working: 5000, failing: 1000 }
/** Even if the store ignores its own deadline, as a hung network disk does. */
const CHECK_MS_MAX = 5000

export interface WatchedStore extends ObjectStore {
  lastCheck: () => StorageCheck
  close: () => void
}

/**
 * Never waits for the store. Calls also report what they see, so the state changes with the first failure or success.
 */
export function watchStore(store: ObjectStore, log: Logger): WatchedStore {
  let state = toCheck(null)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function record(failure: ObjectStoreUnavailable | null): void {
    const wasWorking = isWorking(state)
    state = toCheck(failure)
    if (wasWorking && failure) log.error({ err: failure }, 'the object store fails')
    if (!wasWorking && !failure) log.info('the object store works again')
    if (wasWorking && failure) schedule()
  }

  const observe = async <T>(work: Promise<T>, isWrite = false): Promise<T> => {
    try {
      const result = await work
      // A full store can still be read.
      if (!isWorking(state) && (isWrite || !state.full)) record(null)
      return result
    } catch (error) {
      if (error instanceof ObjectStoreUnavailable) record(error)
      throw error
    }
  }

  async function check(): Promise<void> {
    const failure = await withinLimit(store.ping())
    if (isClosed) return
    record(failure)
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => void check(), CHECK_EVERY_MS[isWorking(state) ? 'working' : 'failing'])
    timer.unref()
  }
  schedule()

  return {
    ...store,
    put: (key, content) => observe(store.put(key, content), true),
    get: (key, range) => observe(store.get(key, range)),
    size: (key) => observe(store.size(key)),
    copy: (from, to) => observe(store.copy(from, to), true),
    remove: (key) => observe(store.remove(key)),
    lastCheck: () => state,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

export const checkStore = async (store: Pick<ObjectStore, 'ping'>): Promise<StorageCheck> =>
  toCheck(await withinLimit(store.ping()))

const toCheck = (failure: ObjectStoreUnavailable | null): StorageCheck => ({
  available: failure === null || failure.isFull,
  full: failure?.isFull ?? false,
  checkedAt: new Date(),
  problem: failure && problemText(failure),
})

const isWorking = ({ available, full }: StorageCheck) => available && !full

async function withinLimit(ping: Promise<void>): Promise<ObjectStoreUnavailable | null> {
  const { promise: late, resolve } = Promise.withResolvers<ObjectStoreUnavailable>()
  const timer = setTimeout(() => {
    resolve(new ObjectStoreUnavailable(new Error(`It did not respond within ${CHECK_MS_MAX / 1000} s`)))
  }, CHECK_MS_MAX)
  const result = ping.then(
    () => null,
    (error: unknown) => (error instanceof ObjectStoreUnavailable ? error : new ObjectStoreUnavailable(error)),
  )
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}

/** Omits addresses and paths: more users may read it than the log. */
function problemText({ isFull, cause }: ObjectStoreUnavailable): string {
  if (isFull) return 'The file storage is full'
  const { code, name } = cause as NodeJS.ErrnoException
  return `The file storage fails (${code ?? name})`
}
