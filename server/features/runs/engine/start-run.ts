import type { Context } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { lowestTrust, takeRunNumber } from '../../sessions/sessions.ts'
import { wakeWorkers } from './lease.ts'
import { publishRunEvent } from './publish.ts'
import { type EngineRun, engineColumns, type Trust } from './run-row.ts'
import { lowestOf } from './trust.ts'

export interface NewRun {
  projectId: string
  sessionId: string
  agent: { id: string; version: number; model: string; maxSteps: number; maxMinutes: number }
  trigger: 'message' | 'api' | 'block'
  /** The trust of the message that starts it; the run starts with the lowest of the session. */
  trust: Trust
  title: string | null
  blockId?: string
}

/** Starts a run with the rights of the caller; its first step is due at once. */
export async function startAgentRun(ctx: Context, run: NewRun): Promise<EngineRun> {
  const { sql, caller } = ctx
  const now = ctx.now()
  const { agent } = run
  const number = await takeRunNumber(sql, caller.orgId, run.sessionId)
  const trust = lowestOf([run.trust, await lowestTrust(sql, caller.orgId, run.sessionId)])
  const [row] = await sql<EngineRun[]>`
    insert into runs as r (org_id, id, project_id, session_id, session_seq, agent_id, agent_version, title, status, trigger, trust,
      model, key_id, block_id, max_steps, deadline_at, due_at, created_by, created_at)
    values (${caller.orgId}, ${newId()}, ${run.projectId}, ${run.sessionId}, ${number}, ${agent.id}, ${agent.version}, ${run.title},
      'queued', ${run.trigger}, ${trust}, ${agent.model}, ${caller.via === 'key' ? caller.credentialId : null},
      ${run.blockId ?? null}, ${agent.maxSteps}, ${new Date(now.getTime() + agent.maxMinutes * 60_000)}, ${now},
      ${caller.userId}, ${now})
    returning ${engineColumns(sql)}`
  await publishRunEvent(sql, row!, 'queued', now)
  wakeWorkers(sql)
  return row!
}
