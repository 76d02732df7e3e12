import type { Sql } from '../database.ts'

const standbyReads = new WeakSet<Sql>()

/** Thrown by a read that has something to write after all. */
export class NeedsPrimary extends Error {}

export const markStandbyRead = (sql: Sql): void => void standbyReads.add(sql)

/** Before a write in a handler that otherwise reads: a call that runs on the standby begins again on the primary. */
export function requirePrimary(sql: Sql): void {
  if (standbyReads.has(sql)) throw new NeedsPrimary('This call has to write')
}
