import type { PoolClient } from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { endJobPool, openJobPool } from './job-pool.ts'

test('a job library pool serves waiting statements before it ends and drops later ones', async () => {
  const database = await cloneDatabase('template0')
  const pool = openJobPool(database.connection, 'test', pino({ level: 'silent' }))
  const clients: PoolClient[] = []
  while (clients.length < pool.options.max) clients.push(await pool.connect())
  const waiting = pool.connect()
  const ended = endJobPool(pool)
  for (const client of clients) client.release()
  const served = await waiting
  expect((await served.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  served.release()
  await ended
  const resolved = Promise.resolve('later')
  expect(await Promise.race([pool.connect(), resolved])).toBe('later')
  await database.drop()
})
