import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '../security/digest.ts'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { forCredential, forOrganization } from './fair-pool.ts'

const SETTINGS = {
  connections: 3,
  connectionsPerOrg: 2,
  statementTimeoutMs: 0,
  idleTimeoutS: null,
  waitMs: 60_000,
}

let database: Awaited<ReturnType<typeof cloneDatabase>>
let pool: Pool
let control: Pool
beforeAll(async () => {
  database = await cloneDatabase()
  pool = openDatabase(database.connection, 'test', SETTINGS)
  control = openDatabase(database.connection, 'test control')
  await control`create table done (n serial, org text)`
})
afterAll(async () => {
  await Promise.all([pool.end(), control.end()])
  await database.drop()
})

/** Holds an advisory lock until the test releases it. */
async function hold(id: number) {
  const connection = await control.reserve()
  await connection`select pg_advisory_lock(${id})`
  return async () => {
    await connection`select pg_advisory_unlock(${id})`
    connection.release()
  }
}

/** Waits for the lock, then records the organization. */
const work = async (sql: Pool, org: string, lock: number) =>
  sql`with waited as materialized (select pg_advisory_xact_lock_shared(${lock})) insert into done (org) select ${org} from waited`

test("a fair pool runs one organization's queries while another's queries and transactions are blocked", async () => {
  const unblock = await hold(1)
  const busy = forOrganization(pool, 'busy')
  const blocked = [
    ...Array.from({ length: 30 }, () => work(busy, 'busy', 1)),
    ...Array.from({ length: 30 }, () => busy.begin((inside) => work(inside as never, 'busy', 1))),
  ]
  const all = Promise.all(blocked)
  await expect
    .poll(
      () =>
        control`select from pg_stat_activity where application_name = 'test' and wait_event_type = 'Lock'`,
    )
    .toHaveLength(2)
  const other = forOrganization(pool, 'other')
  expect(await other`select 1 as one`).toEqual([{ one: 1 }])
  expect(await other.begin((inside) => inside`select 2 as two`)).toEqual([{ two: 2 }])
  await unblock()
  await all
})

test.each([
  ['query of another organization', (name: string) => forOrganization(pool, name)],
  ['lookup of another credential', (name: string) => forCredential(pool, sha256(name))],
])('a fair pool starts the %s before the first queue is empty', async (_, viewFor) => {
  const [finishFirst, finishNext] = [await hold(2), await hold(4)]
  const first = ['a', 'b', 'c'].map((org) => work(viewFor(org), org, 2))
  const busy = Array.from({ length: 200 }, () => work(viewFor('busy'), 'busy', 4))
  const other = viewFor('other')`select pg_advisory_xact_lock_shared(${4}) as other`
  const all = Promise.all([...first, ...busy, other])
  const blocked = () => control`
    select from pg_stat_activity
    where application_name = 'test' and wait_event_type = 'Lock' and query like '%as other'`
  await finishFirst()
  // One of three connections runs it, while 198 earlier queries of the first organization still wait.
  await expect.poll(blocked).toHaveLength(1)
  await finishNext()
  await all
})

test("a fair pool returns a failed query's connection", async () => {
  const org = forOrganization(pool, 'failing')
  const failed = await Promise.allSettled(Array.from({ length: 20 }, () => org`select 1 / 0`))
  expect(failed.every(({ status }) => status === 'rejected')).toBe(true)
  await expect(org.begin(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const connection = await org.reserve()
  connection.release()
  expect(await org`select 1 as one`).toEqual([{ one: 1 }])
})

test('a fair pool composes fragments, identifiers and parameters like the driver', async () => {
  const org = forOrganization(pool, 'composing')
  const condition = org`n > ${0} and ${org('org')} = ${'unknown'}`
  expect(await org`select ${org(['n', 'org'])} from done where ${condition}`).toEqual([])
  expect(await org.unsafe('select 3 as three')).toEqual([{ three: 3 }])
})

test('a fair pool cancels a statement that exceeds its time limit', async () => {
  const limited = openDatabase(database.connection, 'test', { ...SETTINGS, statementTimeoutMs: 50 })
  const unblock = await hold(3)
  await expect(work(limited, 'slow', 3)).rejects.toMatchObject({ code: '57014' })
  await unblock()
  await limited.end()
})
