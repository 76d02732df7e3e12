import type { Sql } from '../../../database/database.ts'
import { listTables, readSizes, type SizesRow, type TableRow } from './database-queries.ts'

const CACHED_MS = 30_000

export interface Sizes extends SizesRow {
  tables: readonly TableRow[]
}

/** Sizes change slowly, and reading them visits every file of the database and every counter of usage. */
export function createSizes(): (sql: Sql) => Promise<Sizes> {
  let last: { at: number; sizes: Promise<Sizes> } | null = null
  return (sql) => {
    if (last && performance.now() - last.at < CACHED_MS) return last.sizes
    const sizes = read(sql)
    last = { at: performance.now(), sizes }
    sizes.catch(() => {
      last = null
    })
    return sizes
  }
}

async function read(sql: Sql): Promise<Sizes> {
  const [sizes, tables] = await Promise.all([readSizes(sql), listTables(sql)])
  return { ...sizes, tables: [...tables] }
}
