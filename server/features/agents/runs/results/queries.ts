import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import type { LeasedRun } from '../state/lease.ts'
import { describeFormat } from './words.ts'

export const formatsExist = (sql: Sql, orgId: string, sessionId: string): Fragment => sql`exists (
  select from runs t where t.org_id = ${orgId} and t.session_id = ${sessionId} and t.output_schema is not null)`

/** In the model's words, by run. */
export async function listFormats(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map()
  const rows = await sql<{ id: string; schema: OutputSchema }[]>`
    select id, output_schema as schema from runs
    where org_id = ${orgId} and id = any(${[...runIds]}::uuid[]) and output_schema is not null`
  return new Map(rows.map(({ id, schema }) => [id, describeFormat(schema)]))
}

/** Empty if the model wrote none. */
export async function findStepText(
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
  step: number,
): Promise<string> {
  const [row] = await sql<{ body: string }[]>`
    select body from messages
    where org_id = ${orgId} and run_id = ${id} and step = ${step} and role = 'assistant' order by seq desc limit 1`
  return row?.body ?? ''
}

export const countRepair = (sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>) => sql`
  update runs set output_repairs = output_repairs + 1 where org_id = ${orgId} and id = ${id}`
