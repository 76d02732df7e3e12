import type { Sql } from '../database.ts'

const standbyReads = new WeakSet<Sql>()

/** Thrown by a read on the standby that needs to write. */
export class NeedsPrimary extends Error {}

export const markStandbyRead = (sql: Sql): void => void standbyReads.add(sql)

/** Call it before a write in a handler that otherwise reads: a call on the standby then starts again on the primary. */
export function requirePrimary(sql: Sql): void {
  if (standbyReads.has(sql)) throw new NeedsPrimary('This call has to write')
}
