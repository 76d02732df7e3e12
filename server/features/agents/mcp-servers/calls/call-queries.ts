import type { CALL_ENDS } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'

const LISTED_MAX = 50

export interface ListedCall {
  runId: string
  tool: string
  state: (typeof CALL_ENDS)[number] | 'running'
  errorCode: string | null
  startedAt: string
  durationMs: number | null
}

/** The latest calls that started. The slug in the name of a tool identifies the server. */
export const listCalls = (sql: Sql, orgId: string, slug: string) => sql<ListedCall[]>`
  select run_id as "runId", tool, state, error_code as "errorCode", started_at as "startedAt",
    (extract(epoch from finished_at - started_at) * 1000)::int as "durationMs"
  from run_calls
  where org_id = ${orgId} and tool like 'mcp\\_%' and split_part(tool, '_', 2) = ${slug} and started_at is not null
  order by started_at desc limit ${LISTED_MAX}`
