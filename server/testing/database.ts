import { inject } from 'vitest'
import type { Connection } from '../database/connection.ts'
import { openDatabase, type Pool } from '../database/database.ts'
import { randomHex } from '../security/random.ts'

let admin: Pool | undefined

/** A new database, cloned from the migrated template; from `template0` it is empty. */
export async function cloneDatabase(from?: 'template0') {
  const { template, ...server } = inject('database')
  const name = `test_${randomHex(8)}`
  // All test files of a worker process use one connection.
  admin ??= openDatabase({ ...server, database: 'postgres' }, 'test admin')
  const sql = admin
  // Copying files takes two thirds of the CPU of the default strategy, which writes every page to the log as well.
  await sql.unsafe(`create database ${name} template ${from ?? template} strategy file_copy`)
  return {
    connection: { ...server, database: name },
    async drop() {
      await sql.unsafe(`drop database ${name} with (force)`)
    },
  }
}

/** The connection as a value of `DATABASE_URL`. */
export function socketUrl(connection: Connection): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, password, database } = connection
  return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
