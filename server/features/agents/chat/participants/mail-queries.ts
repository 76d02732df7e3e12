import type { Sql } from '../../../../database/database.ts'

export interface MailedRun {
  sessionId: string
  projectId: string
  /** The session of the root run, whose people decide the approvals; the same session if no run started this one. */
  audienceId: string
  /** Whether the session belongs to a workflow or a child run, which the list of sessions omits. */
  isHidden: boolean
  title: string | null
  /** The name of the agent. */
  agent: string
  /** Null while the run is active. */
  end: { status: 'succeeded' | 'failed' | 'canceled'; minutes: number; canceledBy: string | null } | null
}

export async function findMailedRun(sql: Sql, orgId: string, runId: string) {
  const [row] = await sql<MailedRun[]>`
    select s.id as "sessionId", r.project_id as "projectId", s.parent_run_id is not null as "isHidden", s.title, (
      select x.session_id from runs x where x.org_id = r.org_id and x.id = run_root(r.org_id, r.id)) as "audienceId",
       a.name as agent, case when r.finished_at is not null then json_build_object(
      'status', r.status, 'minutes', floor(extract(epoch from r.finished_at - r.started_at) / 60)::int,
      'canceledBy', r.canceled_by) end as "end"
    from runs r
    join agent_sessions s on s.org_id = r.org_id and s.id = r.session_id and s.deleted_at is null
    join agents a on a.org_id = r.org_id and a.id = r.agent_id
    where r.org_id = ${orgId} and r.id = ${runId}`
  return row ?? null
}
