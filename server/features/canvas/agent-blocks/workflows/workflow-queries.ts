import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { Sql } from '../../../../database/database.ts'
import type { BlockInput } from '../compose-message.ts'
import type { BlockStep, ForEach } from '../steps.ts'
import type { Edge, NodeState, SkipReason } from './graph.ts'

/** Includes the block itself. */
export async function listDownstream(
  sql: Sql,
  orgId: string,
  projectId: string,
  blockId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive reached as (
      select ${blockId}::uuid as id
      union
      select b.id from reached r
      join edges e on e.org_id = ${orgId} and e.project_id = ${projectId} and e.from_block_id = r.id
      join blocks b on b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = e.to_block_id and b.type = 'agent'
    )
    select id from reached limit ${limit}`
  return rows.map(({ id }) => id)
}

export interface ConditionalEdge extends Edge {
  condition: string | null
}

/** All that lead to these blocks, also from blocks outside the workflow. */
export const listIncoming = (sql: Sql, orgId: string, projectId: string, ids: string[]) => sql<
  ConditionalEdge[]
>`
  select distinct from_block_id as "from", to_block_id as "to", condition from edges
  where org_id = ${orgId} and project_id = ${projectId} and to_block_id = any(${ids}::uuid[])
  order by 1, 2, 3`

export interface IncomingEdge {
  from: string
  condition: string | null
  /** From a block in this workflow. */
  isInside: boolean
  /** Null until the condition is evaluated. */
  isOpen: boolean | null
}

export interface WorkflowBlock {
  blockId: string
  n: number
  title: string | null
  instructions: string
  outputSchema: OutputSchema | null
  agentId: string
  /** Null for a block in the same workflow: its answer isn't known yet. */
  inputs: (Omit<BlockInput, 'text'> & { text: string | null })[]
  incoming: IncomingEdge[]
  /** Null for a block that calls its agent. */
  step: BlockStep | null
  /** Its instructions are a program. */
  isCode: boolean
  forEach: ForEach | null
  state: NodeState
  skipReason: SkipReason | null
  childRunId: string | null
  output: unknown
  wakeAt: string | null
  eventType: string | null
  eventAfter: string | null
  error: string | null
}

export interface WorkflowNode extends WorkflowBlock {
  childStatus: 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled' | null
  childError: string | null
  childTrust: 'trusted' | 'verified' | 'untrusted' | null
}

export async function listNodes(sql: Sql, orgId: string, runId: string): Promise<WorkflowNode[]> {
  const rows = await sql<(Omit<WorkflowNode, 'incoming'> & { incoming: IncomingEdge[] | null })[]>`
    select w.block_id as "blockId", w.n, w.title, w.instructions, w.output_schema as "outputSchema", w.agent_id as "agentId", w.inputs, w.incoming,
      case when w.step ->> 'type' <> 'code' then w.step end as step, w.step ->> 'type' is not distinct from 'code' as "isCode",
      w.for_each as "forEach", w.state, w.skip_reason as "skipReason", w.child_run_id as "childRunId", w.output,
      w.wake_at as "wakeAt", w.event_type as "eventType", w.event_after as "eventAfter", w.error, r.status as "childStatus", r.error as "childError", r.trust as "childTrust"
    from workflow_blocks w
    left join runs r on r.org_id = w.org_id and r.id = w.child_run_id
    where w.org_id = ${orgId} and w.run_id = ${runId} order by w.n`
  return rows.map((row) => ({ ...row, incoming: row.incoming ?? unconditional(row) }))
}

/** A workflow that started before conditions existed. */
const unconditional = ({ inputs }: Pick<WorkflowBlock, 'inputs'>): IncomingEdge[] =>
  inputs
    .filter(({ text }) => text === null)
    .map(({ blockId }) => ({ from: blockId, condition: null, isInside: true, isOpen: null }))

export const insertNodes = (sql: Sql, orgId: string, runId: string, nodes: readonly WorkflowBlock[]) => sql`
  insert into workflow_blocks (org_id, run_id, block_id, n, title, instructions, output_schema, agent_id, inputs, incoming, step,
    for_each, state, skip_reason, child_run_id, output, wake_at, event_type, event_after, error)
  select ${orgId}, ${runId}, b."blockId", b.n, b.title, b.instructions, nullif(b."outputSchema", 'null'), b."agentId", b.inputs, b.incoming,
    case when b."isCode" then '{"type": "code"}' else nullif(b.step, 'null') end, nullif(b."forEach", 'null'), b.state, b."skipReason", b."childRunId", b.output, b."wakeAt", b."eventType", b."eventAfter", b.error
  from jsonb_to_recordset(${sql.json(nodes as never)}) as b ("blockId" uuid, n int, title text, instructions text,
    "outputSchema" jsonb, "agentId" uuid, inputs jsonb, incoming jsonb, step jsonb, "isCode" boolean, "forEach" jsonb, state text, "skipReason" text,
    "childRunId" uuid, output jsonb, "wakeAt" timestamptz, "eventType" text, "eventAfter" uuid, error text)`

export const updateNode = (sql: Sql, orgId: string, runId: string, node: WorkflowBlock) => sql`
  update workflow_blocks set state = ${node.state}, skip_reason = ${node.skipReason},
    incoming = ${sql.json(node.incoming as never)}, child_run_id = ${node.childRunId},
    output = ${sql.json((node.output ?? null) as never)}, wake_at = ${node.wakeAt},
    event_type = ${node.eventType}, event_after = ${node.eventAfter}, error = ${node.error}
  where org_id = ${orgId} and run_id = ${runId} and block_id = ${node.blockId}`

/** No block may be in two active workflows. */
export const lockStarts = (sql: Sql, orgId: string, projectId: string) => sql`
  select pg_advisory_xact_lock(hashtextextended(${`workflow ${orgId} ${projectId}`}, 0))`

export async function findActiveRun(
  sql: Sql,
  orgId: string,
  projectId: string,
  blockIds: string[],
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from runs
    where org_id = ${orgId} and project_id = ${projectId} and block_id = any(${blockIds}::uuid[])
      and status in ('queued', 'running', 'waiting')
    union all
    select r.id from workflow_blocks w
    join runs r on r.org_id = w.org_id and r.id = w.run_id and r.status in ('queued', 'running', 'waiting')
    where w.org_id = ${orgId} and w.block_id = any(${blockIds}::uuid[]) and w.state in ('queued', 'running')
    limit 1`
  return row?.id ?? null
}

/** For a purged project. Returns how many. */
export async function deleteProjectWorkflowBlocks(
  sql: Sql,
  orgId: string,
  projectId: string,
): Promise<number> {
  const { count } = await sql`
    delete from workflow_blocks w using runs r
    where r.org_id = ${orgId} and r.project_id = ${projectId} and w.org_id = r.org_id and w.run_id = r.id`
  return count
}
