import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { type Session, sessionOf, sharesSessions } from './pooler.ts'

const ONE = {
  connections: 1,
  connectionsPerOrg: 1,
  statementTimeoutMs: 0,
  idleTimeoutS: null,
  waitMs: 60_000,
}

let database: Awaited<ReturnType<typeof cloneDatabase>>
let servers: Pool[]
beforeAll(async () => {
  database = await cloneDatabase('template0')
  servers = [1, 2].map(() => openDatabase(database.connection, 'test', ONE))
})
afterAll(async () => {
  await Promise.all(servers.map((pool) => pool.end()))
  await database.drop()
})

/** Clients of a pooler that takes a session for each transaction: the one that was returned last, or the next in turn. */
function createPooler(order: 'last returned' | 'in turn') {
  const idle = [...servers]
  return (): Session => {
    let pinned: Pool | undefined
    return async (statement) => {
      const server = pinned ?? (order === 'in turn' ? idle.shift()! : idle.pop()!)
      const rows = await sessionOf(server)(statement)
      pinned = statement === 'begin' || (pinned && statement !== 'rollback') ? server : undefined
      if (!pinned) idle.push(server)
      return rows
    }
  }
}

test.each(['last returned', 'in turn'] as const)(
  'a pooler that takes a session for each transaction, %s, is recognized',
  async (order) => {
    const connect = createPooler(order)
    expect(await sharesSessions(connect(), connect())).toBe(true)
  },
)

test('a pooler that closes the connection of a transaction is recognized', async () => {
  const refuse: Session = async (statement) => {
    if (statement === 'begin') throw Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' })
    return sessionOf(servers[1]!)(statement)
  }
  expect(await sharesSessions(sessionOf(servers[0]!), refuse)).toBe(true)
})

test('two connections with sessions of their own are accepted', async () => {
  expect(await sharesSessions(sessionOf(servers[0]!), sessionOf(servers[1]!))).toBe(false)
})
