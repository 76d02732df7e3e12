import { inject } from 'vitest'
import type { Connection } from '../database/connection.ts'
import { openDatabase, type Pool } from '../database/database.ts'
import { randomHex } from '../security/random.ts'

let admin: Pool | undefined

/** Cloned from the migrated template. From `template0`, it's empty. */
export async function cloneDatabase(from?: 'template0') {
  const { template, ...server } = inject('database')
  const name = `test_${randomHex(8)}`
  // A worker process's test files share one connection.
  admin ??= openDatabase({ ...server, database: 'postgres' }, 'test admin')
  const sql = admin
  // Takes two thirds of the default strategy's CPU time, which also logs every page.
  await sql.unsafe(`create database ${name} template ${from ?? template} strategy file_copy`)
  return {
    connection: { ...server, database: name },
    async drop() {
      await sql.unsafe(`drop database ${name} with (force)`)
    },
  }
}

export function socketUrl(connection: Connection): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, password, database } = connection
  return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
