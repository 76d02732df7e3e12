import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../database/database.ts'
import { countReads, expectFewReads } from '../../testing/clients/reads.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { listWorkspaceMembers } from '../workspaces/member-queries.ts'
import { listAudit } from './audit-queries.ts'
import * as members from './member-queries.ts'

/** What the statements cost with 20,000 members and as many acts: PostgreSQL itself counts what each one reads. */

const ROWS = 20_000
const LIMIT = 50
const TABLES = ['users', 'memberships', 'workspace_members', 'sessions', 'audit']

let app: TestApp
let orgId: string
let rareId: string
let workspaceId: string
beforeAll(async () => {
  app = await buildTestApp()
  const { org, person } = await app.newcomer({ role: 'owner' })
  orgId = org.id
  rareId = person.id
  await app.sql`
    insert into users (id, email, name, created_at, updated_at)
    select lpad(to_hex(n), 32, '0')::uuid, n || '@example.com', 'Person', now(), now()
    from generate_series(1, ${ROWS}::int) n`
  await app.sql`
    insert into memberships (org_id, user_id, role, created_at)
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, 'member', now() from generate_series(1, ${ROWS}::int) n`
  await app.sql`
    insert into sessions (id, token_hash, user_id, org_id, address, created_at, last_seen_at, expires_at)
    select lpad(to_hex(n), 32, '0')::uuid, int4send(n), lpad(to_hex(n), 32, '0')::uuid, ${orgId}, '::1', now(), now(),
      now() + interval '7 days'
    from generate_series(1, ${ROWS}::int) n`
  await app.sql`
    insert into audit (org_id, id, user_id, via, action, created_at)
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid,
      case n % 1000 when 0 then ${rareId}::uuid else lpad(to_hex(n % 100 + 1), 32, '0')::uuid end, 'session',
      case n % 1000 when 7 then 'rare' else 'sign-in' end, now()
    from generate_series(1, ${ROWS}::int) n`
  await app.sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    select org_id, ${org.workspaceId}, user_id, 'viewer', now() from memberships
    where org_id = ${orgId} and user_id <> ${rareId}`
  workspaceId = org.workspaceId
  await app.sql`vacuum analyze users, memberships, workspace_members, sessions, audit`
})
afterAll(() => app.close())

const idOf = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`
const middle = idOf(ROWS / 2)

const readsHere = (run: (sql: Sql) => Promise<unknown>) => countReads(app.sql, TABLES, run)
const expectFew = (most: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, most, run)

describe('query plans of members', () => {
  test('read only the memberships, users and sessions of one page', async () => {
    await expectFew(3 * LIMIT, (sql) => members.listMembers(sql, orgId, null, LIMIT))
    await expectFew(3 * LIMIT, (sql) => members.listMembers(sql, orgId, middle, LIMIT))
  })

  test('read only the workspace members of one page', async () => {
    await expectFew(2 * LIMIT, (sql) => listWorkspaceMembers(sql, orgId, workspaceId, null, LIMIT))
    await expectFew(2 * LIMIT, (sql) => listWorkspaceMembers(sql, orgId, workspaceId, middle, LIMIT))
  })

  test('find one member by index', () => expectFew(3, (sql) => members.findMember(sql, orgId, middle)))

  test('find another owner without a scan', () =>
    expectFew(2, (sql) => members.hasOtherOwner(sql, orgId, middle)))
})

describe('query plans of the audit log', () => {
  test.each([
    ['whole', {}],
    ['of a rare act', { action: 'rare' }],
    ['of a frequent act', { action: 'sign-in' }],
  ])('%s reads the rows of one page, on first and deep pages', async (_, filter) => {
    await expectFew(2 * LIMIT, (sql) => listAudit(sql, orgId, filter, null, LIMIT))
    await expectFew(2 * LIMIT, (sql) => listAudit(sql, orgId, filter, middle, LIMIT))
  })

  test('filtered by user reads the rows of one page, on first and deep pages', async () => {
    await expectFew(2 * LIMIT, (sql) => listAudit(sql, orgId, { userId: rareId }, null, LIMIT))
    await expectFew(2 * LIMIT, (sql) => listAudit(sql, orgId, { userId: rareId }, middle, LIMIT))
  })
})

test('the row count detects a full scan', async () => {
  const { scans } = await readsHere((sql) => sql`select count(*) from audit where target = 'other'`)
  expect(scans).toBe(1)
})
