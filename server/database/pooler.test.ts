import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { ConnectionError } from './pg-errors.ts'
import { createProbe, type Session, sharesSessions } from './pooler.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let servers: ReturnType<typeof createProbe>[]
beforeAll(async () => {
  database = await cloneDatabase('template0')
  servers = [1, 2].map(() => createProbe(database.connection))
})
afterAll(async () => {
  for (const { close } of servers) close()
  await database.drop()
})

/** Clients of a pooler that takes a session for each transaction: the one that was returned last, or the next in turn. */
function createPooler(order: 'last returned' | 'in turn') {
  const idle = [...servers]
  return (): Session => {
    let pinned: (typeof servers)[number] | undefined
    return async (statement) => {
      const server = pinned ?? (order === 'in turn' ? idle.shift()! : idle.pop()!)
      const rows = await server.session(statement)
      pinned = statement === 'begin' || (pinned && statement !== 'rollback') ? server : undefined
      if (!pinned) idle.push(server)
      return rows
    }
  }
}

test.each(['last returned', 'in turn'] as const)(
  'a pooler that takes a session per transaction, %s, is recognized',
  async (order) => {
    const connect = createPooler(order)
    expect(await sharesSessions(connect(), connect())).toBe(true)
  },
)

test("a pooler that closes a transaction's connection is recognized", async () => {
  const refuse: Session = async (statement) => {
    if (statement === 'begin') throw new ConnectionError('CONNECTION_CLOSED', 'closed')
    return servers[1]!.session(statement)
  }
  expect(await sharesSessions(servers[0]!.session, refuse)).toBe(true)
})

test('two connections with their own sessions are accepted', async () => {
  expect(await sharesSessions(servers[0]!.session, servers[1]!.session)).toBe(false)
})
