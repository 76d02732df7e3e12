import type { RUN_TRIGGERS } from '../../../../../contract/agents/agent-runs.ts'
import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { Context } from '../../../../context.ts'
import { currentTraceparent } from '../../../../observability/tracing.ts'
import { newId } from '../../../../security/ids.ts'
import type { Trust } from '../../../../tools/tool.ts'
import { findLowestTrust, takeRunNumber } from '../../conversations/conversations.ts'
import { findLowerAuthor } from './instruction-authors.ts'
import { wakeWorkers } from './lease.ts'
import { publishRunEvent } from './publish.ts'
import { callerKeyId } from './run-caller.ts'
import { type EngineRun, engineColumns, lowestTrust } from './run-row.ts'

export interface NewRun {
  id?: string
  kind?: 'workflow'
  projectId: string
  sessionId: string
  agent: {
    id: string
    version: number
    model: string
    maxSteps: number
    maxMinutes: number
    outputSchema: OutputSchema | null
  }
  /** The message's or block's. Default: the agent's. */
  outputSchema?: OutputSchema | null | undefined
  /** Runs a program and asks no model. */
  isProgram?: boolean
  /** Default: as the parent. */
  isBulk?: boolean
  trigger: (typeof RUN_TRIGGERS)[number]
  /** The run starts with the session's lowest. */
  trust: Trust
  title: string | null
  blockId?: string
  /** Gives the instructions, without showing the run. */
  instructionsOf?: string
  scheduleId?: string | undefined
  /** A workflow block has no call. */
  parent?: { run: EngineRun; step: number | null; ordinal: number | null } | undefined
}

/** The first step is due immediately. */
export async function startAgentRun(ctx: Context, run: NewRun): Promise<EngineRun> {
  const { sql, caller } = ctx
  const now = ctx.now()
  const { agent, parent } = run
  const keyId = parent ? parent.run.keyId : callerKeyId(caller)
  const number = await takeRunNumber(sql, caller.orgId, run.sessionId)
  const reason = await findLowerAuthor(sql, caller.orgId, caller, {
    agentId: agent.id,
    agentVersion: agent.version,
    projectId: run.projectId,
    sessionId: run.sessionId,
    blockId: run.blockId ?? run.instructionsOf ?? null,
  })
  const sessionTrust = await findLowestTrust(sql, caller.orgId, run.sessionId)
  const trust = lowestTrust([run.trust, sessionTrust, reason === null ? 'trusted' : 'verified'])
  const [row] = await sql<EngineRun[]>`
    insert into runs as r (org_id, id, kind, project_id, session_id, session_seq, agent_id, agent_version, title, status, trigger, trust,
      trust_reason, model, key_id, block_id, schedule_id, parent_run_id, parent_step,
      parent_ordinal, depth, max_steps, deadline_at, due_at, created_by, created_at, trace,
      output_schema, is_program, is_bulk)
    values (${caller.orgId}, ${run.id ?? newId()}, ${run.kind ?? 'agent'}, ${run.projectId}, ${run.sessionId}, ${number}, ${agent.id}, ${agent.version}, ${run.title},
      'queued', ${run.trigger}, ${trust}, ${reason}, ${agent.model}, ${keyId},
      ${run.blockId ?? null}, ${run.scheduleId ?? null}, ${parent?.run.id ?? null},
      ${parent?.step ?? null}, ${parent?.ordinal ?? null}, ${parent ? parent.run.depth + 1 : 0}, ${agent.maxSteps}, ${new Date(now.getTime() + agent.maxMinutes * 60_000)}, ${now},
      ${caller.userId}, ${now}, ${currentTraceparent()}, ${sql.json(schemaOf(run) as never)}, ${run.isProgram ?? false},
      ${run.isBulk ?? parent?.run.isBulk ?? false})
    returning ${engineColumns(sql)}`
  await publishRunEvent(sql, row!, 'queued', now)
  wakeWorkers(sql)
  return row!
}

/** A caller hears the answer, and a workflow has none. */
function schemaOf({ kind, isProgram, trigger, parent, agent, outputSchema }: NewRun): OutputSchema | null {
  if (kind === 'workflow' || isProgram || (trigger === 'call' && !parent)) return null
  return outputSchema ?? agent.outputSchema
}
