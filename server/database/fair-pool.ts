import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts'
import { detached } from '../concurrency/work-scope.ts'
import { type DatabaseClient, type Rows, serially } from './client.ts'
import { createListener, type Listener } from './listener.ts'
import { ConnectionError, isOpeningRetryable, isPreparedStatementLost } from './pg-errors.ts'
import type { Runner, Statement } from './query.ts'
import { type Held, runTransaction } from './run-transaction.ts'
import { createSql, type ReservedSql, type Sql } from './sql.ts'
import type { EncodedValue } from './values.ts'

export interface Pool extends Sql {
  /** Use `inTransaction` instead. Rejects as soon as the connection is lost. */
  begin<T>(work: (inside: Sql) => Promise<T>): Promise<T>
  reserve(): Promise<ReservedSql>
  listen: Listener['listen']
  /** Waits until all connections are free, at most this long, and closes them. */
  end(options?: { timeout?: number }): Promise<void>
}

interface PoolOptions {
  connections: number
  connectionsPerOrg: number
  /** Null: never. */
  idleTimeoutS: number | null
  /** For a connection. */
  waitMs: number
  /** Runs single statements that take no locks, so a transaction may wait for them. */
  isLeaf?: boolean
  open: () => Promise<DatabaseClient>
}

/** Shared by one pool's views. */
interface Source {
  semaphore: Semaphore
  connections: Connections
  listener: Listener
  pool: Pool
  views: Map<string, Pool>
}

const sources = new WeakMap<Pool, Source>()

/** Key for work outside any organization, such as authentication. */
const SYSTEM = 'system'
/** 96 bits of a credential's hash. */
const HASH_BYTES = 12
/** Beyond this many, all views are dropped and recreated. */
const VIEWS_MAX = 1000

/** Organizations take turns for connections. Each statement has its connection to itself. */
export function createFairPool(options: PoolOptions): Pool {
  const { connections: permits, connectionsPerOrg: permitsPerKey, waitMs, isLeaf } = options
  const semaphore = createSemaphore({
    name: 'requests',
    permits,
    permitsPerKey,
    waitMs,
    ...(isLeaf && { isLeaf }),
  })
  // A connection outlives the call that opens it.
  const open = () => detached(options.open)
  const connections = createConnections({ ...options, open })
  const listener = createListener(open)
  const source: Source = { semaphore, connections, listener, pool: null as never, views: new Map() }
  source.pool = createView(source, SYSTEM)
  return source.pool
}

/** The view takes turns with other organizations for connections. */
export function forOrganization(pool: Pool, orgId: string): Pool {
  const source = sources.get(pool)!
  const cached = source.views.get(orgId)
  if (cached) return cached
  const view = createView(source, orgId)
  if (source.views.size >= VIEWS_MAX) source.views.clear()
  source.views.set(orgId, view)
  return view
}

/**
 * For looking up a credential before its organization is known: a thousand requests with one key don't delay those with
 * another. Takes the hash, so no credential stays in memory.
 */
export const forCredential = (pool: Pool, hash: Buffer): Pool =>
  forOrganization(pool, hash.toString('latin1', 0, HASH_BYTES))

export const sharedPool = (view: Pool): Pool => sources.get(view)!.pool

export const countWaitingQueries = (pool: Pool, orgId: string): number =>
  sources.get(pool)!.semaphore.waitingOf(orgId)

function createView(source: Source, key: string): Pool {
  const { semaphore, connections, listener } = source

  async function withConnection<T>(work: (held: Held) => Promise<T>): Promise<T> {
    const release = semaphore.tryAcquire(key) ?? (await semaphore.acquire(key))
    try {
      const held: Held = {
        client: connections.takeIdle() ?? (await connections.open()),
        async replace() {
          connections.giveBack(held.client)
          held.client = await connections.open()
        },
      }
      try {
        return await work(held)
      } finally {
        connections.giveBack(held.client)
      }
    } finally {
      release()
    }
  }

  const execute = (statement: Statement, values: EncodedValue[]): Promise<Rows> =>
    withConnection(({ client }) => client.run(statement, values))

  const runner: Runner = {
    // A statement that lost its preparation wasn't executed, and its connection is closed.
    run: (statement, values) =>
      execute(statement, values).catch((error) => {
        if (!isPreparedStatementLost(error)) throw error
        return execute(statement, values)
      }),
    readBatches() {
      throw new Error('A cursor needs a reserved connection or a transaction')
    },
  }

  const view = Object.assign(createSql(runner), {
    begin: <T>(work: (inside: Sql) => Promise<T>) => withConnection((held) => runTransaction(held, work)),
    reserve: async (): Promise<ReservedSql> => {
      const reserved = Promise.withResolvers<ReservedSql>()
      const released = Promise.withResolvers<void>()
      withConnection(({ client }) => {
        reserved.resolve(Object.assign(createSql(serially(client)), { release: released.resolve }))
        return released.promise
      }).catch(reserved.reject)
      return reserved.promise
    },
    listen: listener.listen,
    async end({ timeout }: { timeout?: number } = {}): Promise<void> {
      listener.close()
      await connections.end(timeout)
    },
  }) as Pool
  sources.set(view, source)
  return view
}

type Connections = ReturnType<typeof createConnections>

/** How long a statement waits for a restarting server. */
const RESTART_MS = 2000
const OPEN_PAUSE_MS = 50
/** Closed at the next pause after this time, to free memory in PostgreSQL. */
const LIFETIME_MS = 45 * 60_000
const IDLE_CHECK_MS = 5000

/** Taking one requires a permit, so connections never exceed permits. */
function createConnections({ open, idleTimeoutS }: PoolOptions) {
  const idle: { client: DatabaseClient; since: number }[] = []
  const clients = new Set<DatabaseClient>()
  let endError: ConnectionError | null = null
  let downSince: number | null = null
  let onFree: () => void = () => {}

  function forget(client: DatabaseClient): void {
    clients.delete(client)
    const index = idle.findIndex((entry) => entry.client === client)
    if (index >= 0) idle.splice(index, 1)
  }

  /** Retries while a server restarts, so callers notice only a delay. */
  async function openPatiently(): Promise<DatabaseClient> {
    for (;;) {
      if (endError) throw endError
      try {
        const client = await open()
        downSince = null
        return client
      } catch (error) {
        downSince ??= performance.now()
        if (!isOpeningRetryable(error) || performance.now() - downSince > RESTART_MS) throw error
        await sleep(OPEN_PAUSE_MS * (1 + Math.random()))
      }
    }
  }

  const timer = setInterval(() => {
    const limit = performance.now() - (idleTimeoutS ?? Infinity) * 1000
    for (const { client, since } of [...idle]) if (since < limit) client.close()
  }, IDLE_CHECK_MS).unref()

  return {
    takeIdle(): DatabaseClient | undefined {
      if (endError) throw endError
      return idle.pop()?.client
    },
    async open(): Promise<DatabaseClient> {
      const client = await openPatiently()
      clients.add(client)
      client.onLost = () => forget(client)
      if (endError) client.close()
      return client
    },
    giveBack(client: DatabaseClient): void {
      client.onLost = () => forget(client)
      if (!client.isReusable() || endError || Date.now() - client.openedAt > LIFETIME_MS) {
        client.close()
        forget(client)
      } else idle.push({ client, since: performance.now() })
      if (idle.length === clients.size) onFree()
    },
    async end(timeoutS: number | undefined): Promise<void> {
      endError ??= new ConnectionError('CONNECTION_ENDED', 'The database connections are closed')
      clearInterval(timer)
      for (const { client } of [...idle]) client.close()
      if (clients.size > 0 && timeoutS !== 0) {
        const free = new Promise<void>((resolve) => {
          onFree = resolve
        })
        const limit = timeoutS === undefined ? [] : [sleep(timeoutS * 1000, undefined, { ref: false })]
        await Promise.race([free, ...limit])
      }
      for (const client of [...clients]) client.close()
    },
  }
}
