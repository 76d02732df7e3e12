import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** Few tools are always allowed, each in a session or for an agent. */
const GRANTS_MAX = 1000

/** A run of an agent with steps, approvals and children, which `seedCanvas` gave changes. */
export const RUN_ID = idOf('f', 1)

/** Sessions, messages, runs and approvals: a third of them in one project, the others in one project each. */
export async function seedRuns(sql: Sql, world: World): Promise<void> {
  const { owner, projectId, sessionId, agentId, scheduleId, count } = world
  const { orgId } = owner
  const from = sql`generate_series(1, ${count}::int) n`
  const project = sql`case n % 3 when 0 then ${projectId}::uuid else ${uuid(sql, 'b')} end`
  // Most rows belong to one agent. The first row is the oldest.
  const agent = sql`case n % 100 when 1 then ${idOf('1', 2)}::uuid else ${agentId}::uuid end`
  const at = sql`now() - (${count} - n) * interval '1 second'`
  await sql`
    insert into agent_sessions (org_id, id, project_id, agent_id, title, status, message_seq, branched_from,
      branched_at_seq, created_by, created_at, updated_at, last_message_at)
    select ${orgId}, case n when 3 then ${sessionId}::uuid else ${uuid(sql, '7')} end, ${project}, ${agent}, 'Session',
      case n % 100 when 0 then 'ended' else 'open' end, case n when 3 then ${count} else 1 end,
      case when n % 100 = 5 then ${sessionId}::uuid end, 1, ${owner.id}, ${at}, ${at}, ${at}
    from ${from}`
  const body = sql`'the photo of ' || n || case when n % 1000 = 1 then ' zebra' else '' end`
  const messages = (session: ReturnType<typeof uuid>, seq: ReturnType<typeof uuid>, prefix: string) => sql`
    insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
    select ${orgId}, ${session}, ${seq}, ${uuid(sql, prefix)}, 'user', '[]', ${body}, 'trusted', ${at} from ${from}`
  await messages(sql`${sessionId}::uuid`, sql`n`, '7')
  await messages(sql`${uuid(sql, '7')}`, sql`1`, '8')
  await sql`
    update runs set agent_id = ${agentId}, agent_version = 1, session_id = ${sessionId}, model = 'test/x', max_steps = 20, deadline_at = now()
    where org_id = ${orgId} and id = ${RUN_ID}`
  await sql`
    insert into runs (org_id, id, project_id, status, trigger, agent_id, agent_version, session_id, parent_run_id,
      schedule_id, model, max_steps, created_by, created_at, deadline_at)
    select ${orgId}, ${uuid(sql, '7')}, ${project},
      case n % 100 when 0 then 'failed' when 1 then 'canceled' else 'succeeded' end,
      case n % 100 when 7 then 'schedule' when 8 then 'block' else 'message' end, ${agent}, 1,
      case n % 100 when 3 then ${sessionId}::uuid else ${uuid(sql, '7')} end,
      case when n <= 20 then ${RUN_ID}::uuid end, case n % 100 when 7 then ${scheduleId}::uuid end, 'test/x', 20,
      ${owner.id}, ${at}, ${at}
    from ${from}`
  await sql`
    insert into run_steps (org_id, run_id, n, attempt, state, model, content, started_at)
    select r.org_id, r.id, n, 1, 'done', 'test/x', '[]', now()
    from runs r cross join lateral generate_series(1, case r.id when ${RUN_ID}::uuid then 100 else 1 end) n
    where r.org_id = ${orgId} and r.agent_id is not null`
  await sql`
    insert into run_calls (org_id, run_id, step, ordinal, call_id, tool, input, effect, risk, state)
    select org_id, run_id, n, 1, 'call', 'search', '{}', 'read', 'none', 'done' from run_steps where org_id = ${orgId}`
  await sql`
    insert into run_calls (org_id, run_id, step, ordinal, call_id, tool, input, effect, risk, state, started_at)
    select org_id, run_id, n, 2, 'call', 'mcp_server-1_search', '{}', 'once', 'send', 'done', started_at
    from run_steps where org_id = ${orgId}`
  await sql`
    insert into approvals (org_id, id, run_id, step, ordinal, project_id, session_id, agent_id, kind, tool, risk, input,
      summary, requested_at, expires_at, decision)
    select ${orgId}, ${uuid(sql, '7')}, case n % 1000 when 3 then ${RUN_ID}::uuid else ${uuid(sql, '7')} end, n, 1,
      ${project}, ${uuid(sql, '7')}, ${agent}, 'approval', 'delete', 'delete', '{}', 'Deletes', ${at}, ${at},
      case when n % 100 <> 0 then 'approved' end
    from ${from}`
  await sql`
    insert into approval_grants (org_id, id, agent_id, session_id, tool, risk, granted_by, granted_at)
    select ${orgId}, ${uuid(sql, '7')}, ${agent}, ${uuid(sql, '7')}, 'delete', 'delete', ${owner.id}, ${at} from generate_series(1, ${Math.min(count, GRANTS_MAX)}::int) n`
}

/** Tools of the MCP server that clients called in each hour. */
const TOOLS = 40
const MCP_DAYS = 10

/** The server with the slug `server-1`. */
export const MCP_SERVER_ID = idOf('a', 1)

export async function seedMcpServers(sql: Sql, { owner }: World): Promise<void> {
  await sql`
    insert into mcp_servers (org_id, id, name, slug, url, auth, trusted, approvals, created_by, created_at, updated_at)
    select ${owner.orgId}, ${uuid(sql, 'a')}, 'Server ' || n, 'server-' || n, 'https://example.com', 'none', false, '{}',
      ${owner.id}, now(), now() from generate_series(1, ${GUARDRAILS_MAX}::int) n`
  await sql`
    insert into mcp_calls (org_id, hour, tool, calls, failed, clients, last_at)
    select ${owner.orgId}, date_trunc('hour', now()) - hour * interval '1 hour', 'tool_' || n, 5, 1, '{Claude,Cursor}', now()
    from generate_series(0, ${24 * MCP_DAYS - 1}::int) hour, generate_series(1, ${TOOLS}::int) n`
}

/** The default quota. */
const GUARDRAILS_MAX = 50

export async function seedGuardrails(sql: Sql, { owner }: World): Promise<void> {
  await sql`
    insert into guardrails (org_id, id, name, kind, stage, action, config, everywhere, enabled, created_at, updated_at)
    select ${owner.orgId}, ${uuid(sql, '9')}, 'Rule ' || n, 'regex', 'input', 'flag', '{"pattern": "x"}', false, false,
      now(), now() from generate_series(1, ${GUARDRAILS_MAX}::int) n`
}
