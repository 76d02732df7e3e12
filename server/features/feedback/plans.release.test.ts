import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../database/database.ts'
import { countReads, expectFewReads } from '../../testing/clients/reads.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import * as queries from './queries.ts'
import * as queue from './queue-queries.ts'
import * as thread from './thread-queries.ts'

/** The cost of statements in an organization with 20,000 submissions: PostgreSQL counts the rows that each one reads. */

const SUBMISSIONS = 20_000
const COMMENTS = 10_000
const LIMIT = 50
const TABLES = ['feedback', 'feedback_comments']

let app: TestApp
let orgId: string
let userId: string
beforeAll(async () => {
  app = await buildTestApp()
  const { org, person } = await app.newUser()
  orgId = org.id
  userId = person.id
  const colleague = await app.person(org)
  await app.sql`
    insert into feedback (org_id, id, user_id, message, metadata, status, idempotency_key, created_at, updated_at)
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, case n % 100 when 0 then ${userId}::uuid else ${colleague.id} end,
      'message', '{}', case n % 1000 when 0 then 'triaged' else 'open' end, 'key ' || n, now(), now()
    from generate_series(1, ${SUBMISSIONS}::int) n`
  await app.sql`
    insert into feedback_comments (org_id, feedback_id, id, author_id, author_role, body, created_at)
    select ${orgId}, ${idOf(1)}, lpad(to_hex(n), 32, '0')::uuid, ${userId}, 'member', 'body', now()
    from generate_series(1, ${COMMENTS}::int) n`
  await app.sql`
    insert into feedback_comments (org_id, feedback_id, id, author_id, author_role, body, created_at)
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid, ${userId}, 'member', 'body', now()
    from generate_series(2, ${COMMENTS}::int) n`
  await app.sql`vacuum analyze feedback, feedback_comments`
})
afterAll(() => app.close())

const idOf = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`

const readsOf = (run: (sql: Sql) => Promise<unknown>) => countReads(app.sql, TABLES, run)
const expectReads = (max: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, max, run)

describe("a user's list", () => {
  test("reads one page's rows", () =>
    expectReads(LIMIT, (sql) => queries.listSubmissions(sql, orgId, userId, LIMIT, 0)))

  test("counts only the user's submissions, up to a limit", () =>
    expectReads(LIMIT, (sql) => queries.countSubmissions(sql, orgId, userId, LIMIT)))
})

describe('the operator queue', () => {
  const middle = idOf(SUBMISSIONS / 2)

  test("reads one page's rows, at the start and on deep pages", async () => {
    await expectReads(LIMIT, (sql) => queue.listQueue(sql, undefined, null, LIMIT))
    await expectReads(LIMIT, (sql) => queue.listQueue(sql, undefined, middle, LIMIT))
  })

  test("reads one page's rows for a rare status, at the start and on deep pages", async () => {
    await expectReads(LIMIT, (sql) => queue.listQueue(sql, 'triaged', null, LIMIT))
    await expectReads(LIMIT, (sql) => queue.listQueue(sql, 'triaged', middle, LIMIT))
  })

  test('counts by status without reading every row', () =>
    expectReads(6 * 1001, (sql) => queue.countByStatus(sql)))
})

describe('a thread with 10,000 comments', () => {
  test("reads one page's rows, at the start and on deep pages", async () => {
    await expectReads(LIMIT, (sql) => thread.listComments(sql, orgId, idOf(1), null, LIMIT))
    await expectReads(LIMIT, (sql) => thread.listComments(sql, orgId, idOf(1), idOf(COMMENTS / 2), LIMIT))
  })
})

describe('one submission', () => {
  const id = idOf(4711)

  test.each<[string, (sql: Sql) => Promise<unknown>]>([
    ['by its id', (sql) => queries.findSubmission(sql, orgId, id)],
    ['by its idempotency key', (sql) => queries.findByIdempotencyKey(sql, orgId, userId, 'key 4700')],
    ['by an operator', (sql) => queries.findAnywhere(sql, id)],
    ['from the queue', (sql) => queue.findQueued(sql, id)],
    ['to change its status', (sql) => queue.lockSubmission(sql, id)],
    [
      'to edit it',
      (sql) => queries.updateMessage(sql, orgId, userId, { id, message: 'm', version: '1', now: new Date() }),
    ],
  ])('is found %s with one row read', (_, run) => expectReads(1, run))
})

test('the measurement detects a statement that reads every row', async () => {
  const { scans, rows } = await readsOf((sql) => sql`select count(*) from feedback where message = 'other'`)
  expect({ scans, rows }).toEqual({ scans: 1, rows: SUBMISSIONS })
})
