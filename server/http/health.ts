import type { FastifyInstance } from 'fastify'
import type { DatabaseClock } from '../processes/database-clock.ts'
import type { StorageCheck } from '../storage/object-store.ts'

export interface Parts {
  /** Also checks for this version's schema. False and an error are equivalent. */
  database: () => Promise<boolean>
  isDatabaseFull: () => boolean
  /** The last background check. Never waits for the bucket. */
  storage: () => StorageCheck
  clock: Pick<DatabaseClock, 'isRight' | 'offsetMs'>
  /** A worker is idle while its clock is wrong. Others still serve requests. */
  isWorkerOnly: boolean
}

/** Below the limit in deploy/haproxy.cfg, so a slow database gets a response, not a timeout. */
export const CHECK_MS_MAX = 800
/** A merely slow database stays ready for this long. */
const READY_FOR_MS = 5000

type PartState = 'ready' | 'unavailable' | 'full' | 'wrong'

/**
 * `/healthz`: the process responds. `/readyz`: it can work. `/health`: each part's state. Without object storage, or
 * while the database's disk is full, the server is degraded but ready: removing it would also stop work that needs no
 * files, and every read.
 */
export function serveHealth(http: FastifyInstance, parts: Parts): void {
  const isDatabaseReady = createDatabaseCheck(parts.database)

  async function readStates() {
    const database = (await isDatabaseReady()) ? (parts.isDatabaseFull() ? 'full' : 'ready') : 'unavailable'
    const storage = parts.storage()
    const objectStorage = storage.full ? 'full' : storage.available ? 'ready' : 'unavailable'
    const clock = parts.clock.isRight() ? 'ready' : 'wrong'
    const states: Record<'database' | 'objectStorage' | 'clock', PartState> = {
      database,
      objectStorage,
      clock,
    }
    const isReady = database !== 'unavailable' && !(parts.isWorkerOnly && clock === 'wrong')
    const allReady = Object.values(states).every((state) => state === 'ready')
    return { status: isReady ? (allReady ? 'ready' : 'degraded') : 'not ready', isReady, states, storage }
  }

  http.get('/healthz', async () => ({ status: 'alive' }))
  http.get('/readyz', async (_request, reply) => {
    const { status, isReady, states } = await readStates()
    return reply
      .status(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, parts: states })
  })
  http.get('/health', async (_request, reply) => {
    const { status, states, storage } = await readStates()
    const details = {
      database: { state: states.database },
      objectStorage: {
        state: states.objectStorage,
        problem: storage.problem,
        checkedAt: storage.checkedAt.toISOString(),
        ageSeconds: Math.round((Date.now() - storage.checkedAt.getTime()) / 1000),
      },
      clock: { state: states.clock, offsetMs: parts.clock.offsetMs() },
    }
    return reply.header('cache-control', 'no-store').send({ status, parts: details })
  })
}

/** One check at a time. A slow check counts as the last one, if that just succeeded. */
function createDatabaseCheck(check: Parts['database']): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  let succeededAt = Number.NEGATIVE_INFINITY

  async function run(): Promise<boolean> {
    try {
      const works = await check()
      succeededAt = works ? performance.now() : Number.NEGATIVE_INFINITY
      return works
    } catch {
      succeededAt = Number.NEGATIVE_INFINITY
      return false
    } finally {
      running = null
    }
  }

  return async () => {
    running ??= run()
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(performance.now() - succeededAt < READY_FOR_MS), CHECK_MS_MAX)
    return Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}
