import type { Sql } from '../../../database/database.ts'
import { deleteSession } from './session-queries.ts'

const SESSIONS_MAX = 20

/** Deletes conversations of a purged project. Returns how many. */
export async function emptySessions(sql: Sql, orgId: string, projectId: string, now: Date): Promise<number> {
  const rows = await sql<{ id: string }[]>`
    select id from agent_sessions where org_id = ${orgId} and project_id = ${projectId} and deleted_at is null
    limit ${SESSIONS_MAX}`
  for (const { id } of rows) await deleteSession(sql, orgId, id, now)
  return rows.length
}
