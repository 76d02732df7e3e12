import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { findLastAnswer } from '../../conversations/conversations.ts'
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

/** The result as JSON, or the last answer of a run without one. */
export async function findResultText(sql: Sql, orgId: string, runId: string): Promise<string | null> {
  const [row] = await sql<{ output: unknown }[]>`
    select output from runs where org_id = ${orgId} and id = ${runId}`
  return hasOutput(row) ? toResultText(row.output) : findLastAnswer(sql, orgId, runId)
}

const hasOutput = (row: { output: unknown } | undefined): row is { output: object } =>
  row !== undefined && row.output !== null

/** By run, of those that have one. */
export async function listResultTexts(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map()
  const rows = await sql<{ id: string; output: unknown }[]>`
    select id, output from runs
    where org_id = ${orgId} and id = any(${[...runIds]}::uuid[]) and output is not null`
  return new Map(rows.map(({ id, output }) => [id, toResultText(output)]))
}

const toResultText = (output: unknown) => JSON.stringify(output, null, 2)

interface SessionResult {
  runId: string
  outputSchema: OutputSchema
  output: unknown
}

/** Oldest first. */
export const listSessionResults = (
  sql: Sql,
  orgId: string,
  sessionId: string,
  { after, limit }: { after: string | null; limit: number },
) => sql<SessionResult[]>`
  select id as "runId", output_schema as "outputSchema", output from runs
  where org_id = ${orgId} and session_id = ${sessionId} and output_schema is not null and output is not null
    and (${after}::uuid is null or id > ${after})
  order by id limit ${limit}`

export const countRepair = (sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>) => sql`
  update runs set output_repairs = output_repairs + 1 where org_id = ${orgId} and id = ${id}`
