import type { Sql } from '../../../../database/database.ts'
import { findLastAnswer } from '../../../agents/conversations/conversations.ts'
import { findList, readOutputs } from './for-each/list-queries.ts'
import type { WorkflowNode } from './workflow-queries.ts'

/** For the outputs of all items together. */
const LIST_BYTES_MAX = 1_000_000

/** A done block's output: data, or a text. */
export async function readOutput(
  sql: Sql,
  orgId: string,
  runId: string,
  node: WorkflowNode,
): Promise<unknown> {
  if (node.step !== null) return node.output
  if (node.forEach === null) return node.childRunId && readRunOutput(sql, orgId, node.childRunId)
  const list = await findList(sql, orgId, runId, node.blockId)
  return list && readOutputs(sql, orgId, list.id, LIST_BYTES_MAX)
}

export async function readRunOutput(sql: Sql, orgId: string, runId: string): Promise<unknown> {
  const [row] = await sql<{ output: unknown }[]>`
    select output from runs where org_id = ${orgId} and id = ${runId}`
  return row?.output ?? (await findLastAnswer(sql, orgId, runId)) ?? ''
}

/** What downstream agents read. */
export const outputText = (output: unknown): string =>
  typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output, null, 2)
