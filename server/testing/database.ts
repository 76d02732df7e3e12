import { inject } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { randomHex } from '../security/random.ts'

/** A new database, cloned from the migrated template; from `template0` it is empty. */
export async function cloneDatabase(from?: 'template0') {
  const { template, ...server } = inject('database')
  const name = `test_${randomHex(8)}`
  const admin = openDatabase({ ...server, database: 'postgres' }, 'test admin')
  await admin.unsafe(`create database ${name} template ${from ?? template}`)
  return {
    connection: { ...server, database: name },
    async drop() {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
