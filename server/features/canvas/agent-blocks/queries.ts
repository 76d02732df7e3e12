import type { Sql } from '../../../database/database.ts'

export interface BlockRun {
  id: string
  projectId: string
  blockId: string
  sessionId: string
  status: 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled'
  wait: { for: string } | null
  error: string | null
  hasOutput: boolean
  cost: string
  createdBy: string
  startedAt: string | null
  finishedAt: string | null
}

export async function findBlockRun(sql: Sql, orgId: string, runId: string): Promise<BlockRun | null> {
  const [row] = await sql<BlockRun[]>`
    select r.id, r.project_id as "projectId", r.block_id as "blockId", r.session_id as "sessionId", r.status, r.wait,
      r.error, r.output is not null as "hasOutput", r.cost, r.created_by as "createdBy", r.started_at as "startedAt", r.finished_at as "finishedAt"
    from runs r where r.org_id = ${orgId} and r.id = ${runId} and r.block_id is not null`
  return row ?? null
}

/** Runs that have read untrusted content. */
export async function listTainted(sql: Sql, orgId: string, runIds: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from runs where org_id = ${orgId} and id = any(${runIds}::uuid[]) and trust <> 'trusted'`
  return new Set(rows.map(({ id }) => id))
}

export async function findFileNames(sql: Sql, orgId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from files where org_id = ${orgId} and id = any(${ids}::uuid[]) and deleted_at is null`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
