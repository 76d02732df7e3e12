import type postgres from 'postgres'
import { isConnectionLost } from '../pg-errors.ts'

/** A pool of the driver with any custom types. */
// biome-ignore lint/suspicious/noExplicitAny: the types do not matter here
type Pool = postgres.Sql<any>
// biome-ignore lint/suspicious/noExplicitAny: the types do not matter here
type Transaction = postgres.TransactionSql<any>

/**
 * Whether a session could not be opened, so that nothing was executed: PostgreSQL refused it, or the driver reports
 * late how the former session of the connection ended.
 */
export const isSessionRefused = (error: unknown): boolean =>
  (error as { severity?: unknown }).severity === 'FATAL'

/** The part of the driver's query that sends it. A fragment inside another query is never sent. */
export interface DriverQuery extends postgres.PendingQuery<postgres.Row[]> {
  handler: (query: DriverQuery) => void
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
}

/**
 * A transaction that ends with its connection. The driver continues to send its statements, the rollback among them, to a
 * connection that was lost: that throws outside of any promise, which ends the process, or reaches the transaction that
 * has the connection after it was opened again.
 */
export function beginGuarded<T>(
  driver: Pool,
  work: (inside: Transaction) => Promise<T>,
  isRepeated = false,
): Promise<T> {
  let lossError: unknown = null
  let hasBegun = false

  const transaction = driver.begin((inside) => {
    hasBegun = true
    const refuseIfLost = (query: DriverQuery) => {
      const { handler } = query
      query.handler = () => {
        if (lossError !== null) return query.reject(lossError)
        const { reject } = query
        query.reject = (error) => {
          if (isConnectionLost(error)) lossError ??= error
          reject(error)
        }
        handler(query)
      }
    }
    return unlessLost(work(createGuard(inside, refuseIfLost)))
  }) as Promise<T>

  /** The driver ends a transaction with a commit or a rollback, so the promise of a transaction without a connection must stay pending. */
  function unlessLost(workResult: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => (lossError === null ? end() : undefined)
      workResult.then(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      )
    })
  }

  // The connection was lost between two statements: the driver rejects the transaction, and the work continues.
  return transaction.catch((error: unknown) => {
    lossError ??= error
    if (!hasBegun && !isRepeated && isSessionRefused(error)) return beginGuarded(driver, work, true)
    throw error
  })
}

function createGuard(inside: Transaction, guard: (query: DriverQuery) => void): Transaction {
  const view = ((first: TemplateStringsArray, ...rest: never[]) => {
    const query = inside(first, ...rest)
    if (Array.isArray(first) && 'raw' in first) guard(query as unknown as DriverQuery)
    return query
  }) as unknown as Transaction
  return Object.assign(view, inside, {
    unsafe: (...args: Parameters<Transaction['unsafe']>) => {
      const query = inside.unsafe(...args)
      guard(query as unknown as DriverQuery)
      return query
    },
  })
}
