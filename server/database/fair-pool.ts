import type postgres from 'postgres'
import { createSemaphore, type Release, type Semaphore } from '../concurrency/semaphore.ts'
import { beginGuarded, type DriverQuery, isSessionRefused } from './driver/lost-connection.ts'

/** A pool of the driver with any custom types. */
// biome-ignore lint/suspicious/noExplicitAny: the types do not matter here
type Pool = postgres.Sql<any>

type TransactionWork = Parameters<typeof beginGuarded>[1]

/** The pool to which a view sends its queries, and the view without an organization. */
interface Source {
  driver: Pool
  semaphore: Semaphore
  pool: Pool
  views: Map<string, Pool>
}

interface Limits {
  permits: number
  permitsPerKey: number
  waitMs: number
  isLeaf?: boolean
}

const sources = new WeakMap<Pool, Source>()

/** The key of work that belongs to no organization, such as authentication. */
const SYSTEM = 'system'
/** 96 bits of the hash of a credential. */
const HASH_BYTES = 12
/** Views in memory; beyond this all are dropped and created again. */
const VIEWS_MAX = 1000

/**
 * Makes every query and transaction of a pool wait until a connection is free. The driver would send it behind the
 * running query of another organization on the same connection, where it waits as long as that query takes.
 */
export function createFairPool<P extends Pool>(driver: P, limits: Limits): P {
  const semaphore = createSemaphore({ name: 'requests', ...limits })
  const pool = createView(driver, semaphore, SYSTEM)
  sources.set(pool, { driver, semaphore, pool, views: new Map() })
  return pool as P
}

/** A view of the pool for the work of one organization, which takes turns with the others for its connections. */
export function forOrganization<P extends Pool>(pool: P, orgId: string): P {
  const source = sources.get(pool)!
  const cached = source.views.get(orgId)
  if (cached) return cached as P
  const view = createView(source.driver, source.semaphore, orgId)
  sources.set(view, source)
  if (source.views.size >= VIEWS_MAX) source.views.clear()
  source.views.set(orgId, view)
  return view as P
}

/**
 * The same pool for the lookup of one credential, before its organization is known: a thousand requests with one key do
 * not delay those with another. Takes the hash, so that no credential stays in memory.
 */
export const forCredential = <P extends Pool>(pool: P, hash: Buffer): P =>
  forOrganization(pool, hash.toString('latin1', 0, HASH_BYTES))

/** The pool without an organization. */
export const poolOf = <P extends Pool>(view: P): P => sources.get(view)!.pool as P

/** How many queries of an organization wait for a connection. */
export const waitingQueriesOf = (pool: Pool, orgId: string): number =>
  sources.get(pool)!.semaphore.waitingOf(orgId)

function createView(driver: Pool, semaphore: Semaphore, key: string): Pool {
  const view = ((first: TemplateStringsArray, ...rest: never[]) => {
    const query = driver(first, ...rest)
    if (Array.isArray(first) && 'raw' in first) waitForPermit(query as unknown as DriverQuery, semaphore, key)
    return query
  }) as unknown as Pool
  return Object.assign(view, driver, {
    unsafe: (...args: Parameters<Pool['unsafe']>) => {
      const query = driver.unsafe(...args)
      waitForPermit(query as unknown as DriverQuery, semaphore, key)
      return query
    },
    begin: (work: TransactionWork) => semaphore.run(key, () => beginGuarded(driver, work)),
    reserve: async () => {
      const releasePermit = await semaphore.acquire(key)
      const connection = await driver.reserve()
      const release = connection.release.bind(connection)
      return Object.assign(connection, {
        release: () => {
          release()
          releasePermit()
        },
      })
    },
  }) as Pool
}

function waitForPermit(query: DriverQuery, semaphore: Semaphore, key: string): void {
  const { handler, reject } = query
  query.handler = () => {
    try {
      const release = semaphore.tryAcquire(key)
      if (release) send(query, handler, release)
      else semaphore.acquire(key).then((later) => send(query, handler, later), reject)
    } catch (error) {
      reject(error)
    }
  }
}

/** Replaces the callbacks instead of using `then`: that would cost a promise per query. */
function send(query: DriverQuery, handler: DriverQuery['handler'], release: Release): void {
  const { resolve, reject } = query
  let isRepeated = false
  query.resolve = (rows) => {
    release()
    resolve(rows)
  }
  query.reject = (error) => {
    if (!isRepeated && isSessionRefused(error)) {
      isRepeated = true
      return handler(query)
    }
    release()
    reject(error)
  }
  handler(query)
}
