import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTenantTables } from '../../../../database/tenant-tables.ts'
import { dropChecks, seedEveryTable } from '../../../../testing/factories/every-table.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { storedFiles, upload } from '../../../../testing/factories/uploads.ts'
import { buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'
import { erase } from './erase.ts'
import { beginDue } from './erasure-queries.ts'

const DAY_S = 86_400

/** Without a worker, which would handle the rows that the test adds. */
let app: TestApp
let grace: Person
let operator: Awaited<ReturnType<TestApp['operator']>>['client']
beforeAll(async () => {
  app = await buildTestApp()
  ;({ person: grace, client: operator } = await app.operator())
})
afterAll(() => app.close())

async function owner() {
  const org = await app.organization()
  const person = await app.person(org, {
    role: 'owner',
    name: 'Ada',
    password: 'correct horse battery staple',
  })
  return { org, person, headers: cookie(await app.session(person)) }
}

test('erasure deletes every row and object the organization has, and nothing from another', async () => {
  const [subject, other] = [await owner(), await owner()]
  const memberOfBoth = await app.person(subject.org, { name: 'Grace' })
  await app.join(memberOfBoth, other.org)
  await dropChecks(app.sql)
  for (const { org, person, headers } of [subject, other]) {
    expect((await upload(app, headers, 'hello')).status).toBe(201)
    await seedEveryTable(app.sql, { orgId: org.id, userId: person.id })
  }
  const tables = await listTenantTables(app.sql)
  const countsOf = async (orgId: string) => {
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await app.sql<{ count: number }[]>`
        select count(*)::int as count from ${app.sql(name)} where org_id = ${orgId}`
      counts[name] = row!.count
    }
    return counts
  }
  const before = await countsOf(subject.org.id)
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
  const otherBefore = await countsOf(other.org.id)
  expect(await storedFiles(app, subject.org.id)).toBeGreaterThan(0)

  const { id } = await operator.erasures.requestOf({ id: subject.org.id, name: subject.org.name })
  app.clock.advance(7 * DAY_S)
  const ctx = app.app.system()
  expect(await beginDue(ctx.sql, ctx.now())).toEqual([{ id, orgId: subject.org.id }])
  expect(await erase(ctx, { id, orgId: subject.org.id })).toBe('done')
  const [erasure] = (await (await app.withSession(grace)).erasures.list({})).items
  const { receipt, name, finishedAt, status } = erasure!
  expect(status).toBe('done')
  const remaining = Object.entries(await countsOf(subject.org.id)).filter(([, count]) => count > 0)
  expect(remaining).toEqual([])
  expect(await app.sql`select from organizations where id = ${subject.org.id}`).toHaveLength(0)
  expect(await storedFiles(app, subject.org.id)).toBe(0)
  expect(await countsOf(other.org.id)).toEqual(otherBefore)
  expect(await storedFiles(app, other.org.id)).toBe(1)

  // The receipt counts, and names neither the organization nor a person.
  expect([name, typeof finishedAt]).toEqual([null, 'string'])
  // Sessions and device logins are deleted with the accounts, and the suspension with the organization: not counted.
  const counted = Object.entries(before).filter(
    ([table]) => !['device_logins', 'sessions', 'suspensions'].includes(table),
  )
  expect(counted.filter(([table, count]) => (receipt.tables[table] ?? 0) < count)).toEqual([])
  expect(receipt.tables.files).toBe(before.files)
  expect(receipt).toMatchObject({ objects: before.objects, accounts: 1 })
  const [account] =
    await app.sql`select name, email, password_hash from users where id = ${subject.person.id}`
  expect(account).toEqual({
    name: 'Erased account',
    email: `erased-${subject.person.id}@invalid`,
    password_hash: null,
  })
  const [member] = await app.sql`select name from users where id = ${memberOfBoth.id}`
  expect(member!.name).toBe('Grace')
  const sessions = await app.request('GET', '/api/v1/auth/session', { headers: subject.headers })
  expect(sessions.status).toBe(401)
})

test("concurrent erasures of a member's two organizations leave nothing of the account", async () => {
  const [first, second] = [await owner(), await owner()]
  await app.join(first.person, second.org, 'owner')
  const client = await app.withSession(grace)
  for (const { org } of [first, second]) await client.erasures.requestOf({ id: org.id, name: org.name })
  app.clock.advance(7 * DAY_S)
  const ctx = app.app.system()
  const due = await beginDue(ctx.sql, ctx.now())
  expect(due).toHaveLength(2)
  await Promise.all(due.map((subject) => erase(ctx, subject)))
  const accounts = await app.sql`
    select name, password_hash from users where id in (${first.person.id}, ${second.person.id})`
  expect(accounts).toEqual(Array.from({ length: 2 }, () => ({ name: 'Erased account', password_hash: null })))
})

test('every table has an org_id or is listed here as a server table', async () => {
  const rows = await app.sql<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)
    order by 1`
  expect(rows.map(({ name }) => name)).toEqual([
    'erasures',
    'health_samples',
    'identities',
    'installation',
    'job_processes',
    'last_backup',
    'migrations',
    'oauth_clients',
    'one_time_tokens',
    'organizations',
    'passkeys',
    'rate_limits',
    'recovery_codes',
    'server_processes',
    'setup_links',
    'users',
  ])
})
