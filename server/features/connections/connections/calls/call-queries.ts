import type { z } from 'zod'
import type { ConnectionCall } from '../../../../../contract/connections/connections.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { inBatch } from '../../../../database/delete-batch.ts'

export interface NewCall {
  id: string
  connectionId: string
  runId: string
  tool: string
  status: 'succeeded' | 'failed'
  httpStatus: number | null
  errorCode: string | null
  request: unknown
  answer: unknown
  attempts: number
  startedAt: Date
  durationMs: number
}

export const insertCall = (sql: Sql, orgId: string, call: NewCall) => sql`
  insert into connection_calls (org_id, id, connection_id, run_id, tool, status, http_status, error_code, request, answer,
    attempts, started_at, duration_ms)
  values (${orgId}, ${call.id}, ${call.connectionId}, ${call.runId}, ${call.tool}, ${call.status}, ${call.httpStatus},
    ${call.errorCode}, ${sql.json(call.request as never)}, ${sql.json(call.answer as never)}, ${call.attempts},
    ${call.startedAt}, ${call.durationMs})`

/** `runs` has the columns `org_id` and `id`. */
export const deleteCallsOfRunsSql = (sql: Sql, runs: Fragment): Fragment => sql`
  delete from connection_calls c using ${runs} x where c.org_id = x.org_id and c.run_id = x.id`

export const deleteCallsOfProject = (sql: Sql, orgId: string, projectId: string, limit: number) => sql`
  delete from connection_calls where ${inBatch(
    sql,
    sql`runs r join connection_calls t on t.org_id = r.org_id and t.run_id = r.id
      where r.org_id = ${orgId} and r.project_id = ${projectId}`,
    limit,
  )}`

/** Returns false while another call has the slot. */
export async function claimWriter(
  sql: Sql,
  orgId: string,
  connectionId: string,
  { lease, now, until }: { lease: string; now: Date; until: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into connection_writers as w (org_id, connection_id, lease, until)
    values (${orgId}, ${connectionId}, ${lease}, ${until})
    on conflict (org_id, connection_id) do update set lease = excluded.lease, until = excluded.until
    where w.until <= ${now}
    returning 1`
  return rows.length > 0
}

export const releaseWriter = (sql: Sql, orgId: string, connectionId: string, lease: string) => sql`
  delete from connection_writers where org_id = ${orgId} and connection_id = ${connectionId} and lease = ${lease}`

const LISTED_MAX = 100

/** Newest first. */
export const listCalls = (sql: Sql, orgId: string, connectionId: string) => sql<
  z.output<typeof ConnectionCall>[]
>`
  select id, run_id as "runId", tool, status, http_status as "httpStatus", error_code as "errorCode", request, answer,
    started_at as "startedAt", duration_ms as "durationMs", attempts
  from connection_calls where org_id = ${orgId} and connection_id = ${connectionId}
  order by started_at desc, id desc limit ${LISTED_MAX}`
