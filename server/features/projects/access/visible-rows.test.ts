import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { expectFewReads } from '../../../testing/clients/reads.ts'
import { CALLER_DEFAULTS } from '../../../testing/factories/caller.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { listSessions } from '../../agents/conversations/conversations.ts'
import { listAgentRuns } from '../../agents/runs/api/run-queries.ts'

/** Runs and sessions of an organization, of which a member sees every 250th, in two projects. */
const ROWS = 5000
const EVERY = 250
const LIMIT = 16
/** The rows that are read before the projects of the viewer, each project, and twice the page. */
const READS_MAX = 500

let app: TestApp
let orgId: string
let caller: Caller
beforeAll(async () => {
  app = await shareTestApp()
  const org = await app.organization()
  orgId = org.id
  const owner = await app.person(org, { role: 'owner' })
  const member = await app.person(org)
  await app.setWorkspaceRole(member, org.workspaceId, null)
  const workspaceId = await app.workspace(org)
  await app.setWorkspaceRole(member, workspaceId, 'viewer')
  const [hidden, first, second, deleted] = await Promise.all([
    app.project(owner),
    app.project(owner, { workspaceIds: [workspaceId] }),
    app.project(member, { visibility: 'private' }),
    app.project(owner, { workspaceIds: [workspaceId], deleted: true }),
  ])
  caller = { ...CALLER_DEFAULTS, userId: member.id, orgId }
  const { id: agentId } = (await (await app.withSession(owner)).agents.list({})).items[0]!
  const at = app.sql`now() - (${ROWS} - n) * interval '1 second'`
  const project = app.sql`case n % ${EVERY} when 0 then ${first.id}::uuid when 1 then ${second.id}::uuid
    when 2 then ${deleted.id}::uuid else ${hidden.id}::uuid end`
  await app.sql`
    insert into agent_sessions (org_id, id, project_id, agent_id, title, status, message_seq, created_by, created_at,
      updated_at, last_message_at)
    select ${orgId}, gen_random_uuid(), ${project}, ${agentId}, n, case n % 2 when 0 then 'open' else 'ended' end, 1,
      ${owner.id}, ${at}, ${at}, ${at}
    from generate_series(1, ${ROWS}::int) n`
  await app.sql`
    insert into runs (org_id, id, project_id, title, status, trigger, agent_id, agent_version, model, max_steps, created_by,
      created_at, deadline_at)
    select ${orgId}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${project}, n,
      case n % 2 when 0 then 'failed' else 'succeeded' end, 'api', ${agentId}, 1, 'test/x', 20, ${owner.id}, ${at}, ${at}
    from generate_series(1, ${ROWS}::int) n`
  await app.sql`analyze agent_sessions, runs`
})

const visibleNumbers = (isListed: (n: number) => boolean) =>
  Array.from({ length: ROWS }, (_, index) => ROWS - index).filter((n) => n % EVERY <= 1 && isListed(n))
const isEven = (n: number) => n % 2 === 0

test.each([
  ['all', {}, () => true],
  ['one status', { status: 'failed' }, isEven],
] as const)(
  'a run list (%s) reads few rows for a member who sees few, and returns each once',
  async (_, filter, isListed) => {
    const page = (before: string | null) => listAgentRuns(app.sql, caller, filter, { before, limit: LIMIT })
    const found = []
    for (let rows = await page(null); rows.length > 0; rows = await page(rows.at(-1)!.id)) found.push(...rows)
    expect(found.map(({ title }) => Number(title))).toEqual(visibleNumbers(isListed))
    await expectFewReads(app.sql, ['runs', 'projects'], READS_MAX, (sql) =>
      listAgentRuns(sql, caller, filter, { before: null, limit: LIMIT }),
    )
  },
)

test.each([
  ['all', {}, () => true],
  ['open', { status: 'open' }, isEven],
] as const)(
  'a session list (%s) reads few rows for a member who sees few, and returns each once',
  async (_, filter, isListed) => {
    type Position = Parameters<typeof listSessions>[3]['before']
    const page = (before: Position) => listSessions(app.sql, caller, filter, { before, limit: LIMIT })
    const found = []
    for (let rows = await page(null); rows.length > 0; rows = await page(rows.at(-1)!)) found.push(...rows)
    expect(found.map(({ title }) => Number(title))).toEqual(visibleNumbers(isListed))
    await expectFewReads(app.sql, ['agent_sessions', 'projects'], READS_MAX, (sql) =>
      listSessions(sql, caller, filter, { before: null, limit: LIMIT }),
    )
  },
)

test('a member without a project finds nothing', async () => {
  const stranger = { ...caller, userId: newId() }
  expect(await listAgentRuns(app.sql, stranger, {}, { before: null, limit: LIMIT })).toEqual([])
  expect(await listSessions(app.sql, stranger, {}, { before: null, limit: LIMIT })).toEqual([])
})
