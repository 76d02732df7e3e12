import type { Sql } from '../../server/database/database.ts'
import { organizationJoin, projectJoin, type Size } from './rows.ts'

const DAYS = 8
const RUNS_PER_SESSION = 4
const EVENTS_EACH = 20

/** Four runs per session, each with three messages, two steps, one call and twenty events. */
export async function seedRuns(sql: Sql, { runs, organizations }: Size): Promise<void> {
  const sessions = Math.ceil(runs / RUNS_PER_SESSION)
  await sql`
    create temp table growth_sessions on commit drop as
    select n, o.org_id, o.user_id, o.agent_id, p.id as project_id, uuidv7(t.at - clock_timestamp()) as session_id, t.at
    from generate_series(1, ${sessions}::int) n join ${organizationJoin(sql, organizations)} join ${projectJoin(sql)}
    cross join lateral (
      select now() - (1 - n::float8 / ${sessions}::float8) * ${DAYS}::int * interval '1 day' - interval '10 minutes' as at) t`
  await sql`
    create temp table growth_runs on commit drop as
    select n, org_id, user_id, agent_id, project_id, session_id, turn, uuidv7(at + turn * interval '1 minute' - clock_timestamp()) as id,
      at + turn * interval '1 minute' as at
    from growth_sessions, generate_series(1, ${RUNS_PER_SESSION}::int) turn`
  const from = sql`growth_runs r`
  await sql`
    insert into agent_sessions (org_id, id, project_id, agent_id, title, message_seq, run_seq, created_by, created_at, updated_at,
      last_message_at)
    select org_id, session_id, project_id, agent_id, 'Session ' || n, ${3 * RUNS_PER_SESSION}::int, ${RUNS_PER_SESSION}::int, user_id,
      at, at, at from ${from} where turn = ${RUNS_PER_SESSION}`
  await sql`
    insert into runs (org_id, id, project_id, session_id, session_seq, agent_id, agent_version, title, status, trigger, model,
      max_steps, next_seq, cost, created_by, created_at, started_at, finished_at, deadline_at)
    select org_id, id, project_id, session_id, turn, agent_id, 1, 'Run ' || n, case when n % 50 = 1 then 'failed' else 'succeeded' end,
      'message', 'test/echo', 20, ${EVENTS_EACH + 1}::int, 0.01, user_id, at, at, at + interval '5 seconds', at + interval '1 hour'
    from ${from}`
  await sql`
    insert into messages (org_id, session_id, seq, id, role, run_id, content, body, trust, created_at)
    select r.org_id, session_id, (turn - 1) * 3 + m, uuidv7(at - clock_timestamp()), case m when 1 then 'user' else 'assistant' end, r.id,
      '[{"type": "text", "text": "the report of this month"}]', 'the report of ' || (array['april', 'may', 'june', 'july'])[turn] || ' ' || n,
      'trusted', at
    from ${from}, generate_series(1, 3) m`
  await sql`
    insert into run_steps (org_id, run_id, n, attempt, state, model, content, started_at, finished_at)
    select org_id, r.id, step, 1, 'done', 'test/echo',
      '[{"role": "assistant", "content": [{"type": "text", "text": "the report of this month"}]}]', at, at
    from ${from}, generate_series(1, 2) step`
  await sql`
    insert into run_calls (org_id, run_id, step, ordinal, call_id, tool, input, effect, risk, state, started_at, finished_at)
    select org_id, r.id, 1, 1, 'call', 'search', '{"q": "report"}', 'read', 'none', 'done', at, at from ${from}`
  await sql`
    insert into run_events (org_id, run_id, seq, type, data, at)
    select org_id, r.id, seq, 'text', jsonb_build_object('n', 1, 'attempt', 1, 'text', 'the report of this month'), at
    from ${from}, generate_series(1, ${EVENTS_EACH}::int) seq`
}
