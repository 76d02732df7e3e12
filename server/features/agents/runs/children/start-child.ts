import { type Context, createContext, type JobContext, markOutsideAuthor } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badRequest, conflict } from '../../../../errors.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { isUuid, newId } from '../../../../security/ids.ts'
import { requireTrust } from '../../../../tools/project-ref.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { findAgent, listAgentsByName } from '../../agents/agents.ts'
import { assignRun, insertMessage, insertSession } from '../../conversations/conversations.ts'
import type { CallRow } from '../calls/call-queries.ts'
import { accessLost } from '../state/errors.ts'
import { findRunCaller } from '../state/run-caller.ts'
import { type EngineRun, readRunTrust } from '../state/run-row.ts'
import { requireRunnableAgent } from '../state/runnable-agent.ts'
import { type NewRun, startAgentRun } from '../state/start-run.ts'
import type { RunAgentInput } from '../tools/run-agent.ts'
import { countStarted } from './tree-queries.ts'

const DEPTH_MAX = 3
/** Per run tree. */
const STARTED_MAX = 50
const TITLE_CHARACTERS = 80

/**
 * Runs in the call's transaction, with the same user's or key's permissions, the run's current trust, and a new
 * session.
 */
export async function startChild(
  models: ModelChoices,
  job: JobContext,
  sql: Sql,
  run: EngineRun,
  { step, ordinal }: Pick<CallRow, 'step' | 'ordinal'>,
  input: RunAgentInput,
): Promise<string> {
  const caller = await findRunCaller(sql, run)
  if (!caller) throw accessLost()
  if (run.depth >= DEPTH_MAX)
    throw conflict(`Agents can pass work on at most ${DEPTH_MAX} times in a row: do this part yourself`)
  if ((await countStarted(sql, run)) >= STARTED_MAX)
    throw conflict(
      `This run and its agents have started ${STARTED_MAX} runs, which is the limit: continue without starting more`,
    )
  const ctx: Context = createContext({ ...job, sql, caller })
  const now = job.now()
  const { orgId, createdBy } = run
  await markOutsideAuthor(sql, caller)
  const trust = await readRunTrust(sql, run)
  const project = await findProject(ctx, input.project ?? run.projectId, 'edit')
  if (project.id !== run.projectId) requireTrust({ trust })
  const agent = await requireRunnableAgent(ctx, models, await agentIdOf(sql, orgId, input.agent))
  const [sessionId, title] = [newId(), titleOf(input.message)]
  await insertSession(sql, orgId, {
    id: sessionId,
    projectId: project.id,
    agentId: agent.id,
    title,
    origin: 'api',
    parentRunId: run.id,
    createdBy,
    now,
  })
  const child = await startAgentRun(ctx, {
    projectId: project.id,
    sessionId,
    agent,
    trigger: run.trigger as NewRun['trigger'],
    trust,
    title,
    parent: { run, step, ordinal },
  })
  await assignRun(sql, orgId, sessionId, child.id, title)
  await insertMessage(
    sql,
    orgId,
    sessionId,
    {
      id: newId(),
      role: 'user',
      runId: child.id,
      step: null,
      authorId: null,
      content: [{ type: 'text', text: input.message }],
      body: input.message,
      trust,
      state: 'sent',
    },
    now,
  )
  return child.id
}

/** The error names the agents, so that the model can choose. */
async function agentIdOf(sql: Sql, orgId: string, ref: string): Promise<string> {
  if (isUuid(ref)) {
    const agent = await findAgent(sql, orgId, ref)
    if (agent) return agent.id
  }
  const agents = await listAgentsByName(sql, orgId)
  const matches = agents.filter(({ name }) => name.toLowerCase() === ref.trim().toLowerCase())
  if (matches.length === 1) return matches[0]!.id
  if (matches.length > 1)
    throw badRequest(`Several agents are named ${ref}. Use an id: ${matches.map(({ id }) => id).join(', ')}`)
  const listed = agents.map(({ name, description }) => (description ? `${name} (${description})` : name))
  throw badRequest(`There is no agent ${ref}. Agents: ${listed.join('; ')}`)
}

const titleOf = (message: string) =>
  message.trim().split('\n', 1)[0]!.slice(0, TITLE_CHARACTERS).toWellFormed().trim()
