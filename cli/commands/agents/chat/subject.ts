import type { OutputSchema } from '../../../../contract/agents/output-rules.ts'
import { sessions } from '../../../../contract/agents/sessions.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { withRetry } from '../../files/retry.ts'
import { findProject, type Project } from '../../projects/projects/find.ts'
import { findAgent } from '../agents/find.ts'
import { requireId } from '../runs/find.ts'

export interface SubjectOptions {
  project?: string
  agent?: string
  model?: string
  session?: string
  continue?: boolean
}

/** An existing session, or the project, agent and model for a new one. */
export type Subject =
  | { session: AgentSession }
  | { session: null; project: Project; agentId: string | undefined; model: string | undefined }

const SLUGS_SHOWN_MAX = 10

export async function findSubject(connection: Connection, options: SubjectOptions): Promise<Subject> {
  const isContinued = options.session !== undefined || options.continue
  if (options.session !== undefined && (options.continue || options.project !== undefined))
    throw new Failure('usage', '--session cannot be combined with --project or --continue')
  if (isContinued && options.agent !== undefined)
    throw new Failure('usage', 'A session keeps its agent: use --agent only for a new session')
  if (isContinued && options.model !== undefined)
    throw new Failure('usage', '--model is for a new session: change a session’s model in the dashboard')
  if (options.session !== undefined) return { session: await findSession(connection, options.session) }
  if (options.continue) return { session: await findLatestSession(connection, options.project) }
  const project = await findProjectOrOnly(connection, options.project)
  const agentId = options.agent === undefined ? undefined : (await findAgent(connection, options.agent)).id
  return { session: null, project, agentId, model: options.model }
}

export function findSession({ server, client }: Connection, ref: string): Promise<AgentSession> {
  const id = requireId(ref, 'session', 'chat ls')
  return parseResponse(server, sessions.get, client.sessions.get({ id }))
}

async function findLatestSession(connection: Connection, ref: string | undefined): Promise<AgentSession> {
  const { server, client } = connection
  const projectId = ref === undefined ? undefined : (await findProject(connection, ref)).id
  const list = client.sessions.list({ projectId, status: 'open', limit: 1 })
  const { items } = await parseResponse(server, sessions.list, list)
  if (items[0]) return items[0]
  throw new Failure('failed', 'There is no session to continue', 'Omit --continue to start one.')
}

/** Doesn't guess among several projects, because an agent changes the canvas. */
async function findProjectOrOnly(connection: Connection, ref: string | undefined): Promise<Project> {
  if (ref !== undefined) return findProject(connection, ref)
  const { server, client } = connection
  const list = client.projects.list({ status: 'active', limit: SLUGS_SHOWN_MAX + 1 })
  const { items } = await parseResponse(server, projects.list, list)
  if (items.length === 1) return items[0]!
  if (items.length === 0)
    throw new Failure(
      'failed',
      'You have no projects yet',
      'Create one with `npx atrium projects new <name>`.',
    )
  const slugs = items.slice(0, SLUGS_SHOWN_MAX).map(({ slug }) => slug)
  throw new Failure(
    'usage',
    'Choose a project with --project',
    `Projects: ${slugs.join(', ')}${items.length > SLUGS_SHOWN_MAX ? ', …' : ''}`,
  )
}

export type AgentSession = OutputOf<typeof sessions.get>

export interface NewMessage {
  content: string
  fileIds?: string[]
  outputSchema?: OutputSchema
}

/** A repeated request doesn't send the message again. */
export function sendMessage({ server, client }: Connection, sessionId: string, message: NewMessage) {
  const idempotencyKey = crypto.randomUUID()
  const send = () => client.sessions.send({ id: sessionId, ...message }, { idempotencyKey })
  return parseResponse(server, sessions.send, withRetry(send, { isRepeatable: true }))
}

interface NewSession {
  projectId: string
  agentId: string | undefined
  model: string | undefined
}

export function startSession({ server, client }: Connection, newSession: NewSession, message: NewMessage) {
  const idempotencyKey = crypto.randomUUID()
  const create = () => client.sessions.create({ ...newSession, message }, { idempotencyKey })
  return parseResponse(server, sessions.create, withRetry(create, { isRepeatable: true }))
}
