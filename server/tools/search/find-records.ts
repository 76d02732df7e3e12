import { agentRuns } from '../../../contract/agents/agent-runs.ts'
import { sessions } from '../../../contract/agents/sessions.ts'
import { Id } from '../../../contract/fields.ts'
import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import { callEndpoint, findByEndpoint } from '../call-endpoint.ts'
import { describeEvent } from '../events.ts'
import type { ToolCall } from '../tool.ts'
import { findByText } from './find-text.ts'
import { type Hit, RESULTS_MAX } from './hit.ts'

const LIMIT = RESULTS_MAX + 1
const isId = (query: string) => Id.safeParse(query).success

export const findProjects = async (call: ToolCall, query: string): Promise<Hit[]> =>
  (await findByText(call, query, 'project')).map(({ id, title }) => ({ kind: 'project', id, name: title }))

/** Finds files by their names and texts. */
export const findFiles = async (
  call: ToolCall,
  query: string,
  projectId: string | undefined,
): Promise<Hit[]> =>
  (await findByText(call, query, 'file', projectId)).map((file) => ({
    kind: 'file',
    id: file.id,
    name: file.title,
    projectId: file.projectId,
  }))

export async function findSessions(call: ToolCall, query: string): Promise<Hit[]> {
  const byId = isId(query) && (await findByEndpoint(call, sessions.get, { params: { id: query } }))
  const found = byId
    ? [byId]
    : (await callEndpoint(call, sessions.list, { query: { search: query.slice(0, 200), limit: LIMIT } }))
        .items
  return found.map(({ id, title, origin, projectId, lastMessageAt }) => ({
    kind: 'session',
    id,
    // The title is the beginning of the first message, which a third party may have sent.
    name: origin === 'provider' ? '(from outside)' : (title ?? ''),
    projectId,
    lastMessageAt,
  }))
}

/** Finds runs by id only: they have no text to search. */
export async function findRuns(call: ToolCall, query: string): Promise<Hit[]> {
  const run = isId(query) && (await findByEndpoint(call, agentRuns.get, { params: { id: query } }))
  if (!run) return []
  const { id, agentName, status, sessionId, projectId } = run
  return [{ kind: 'run', id, name: agentName, status, sessionId, projectId }]
}

/** Finds events by id, or by the beginning of the type. */
export async function findEvents(call: ToolCall, query: string): Promise<Hit[]> {
  const byId = isId(query) && (await findByEndpoint(call, webhooks.event, { params: { eventId: query } }))
  if (byId) return [eventHit(byId)]
  if (!/^[\w.]{3,100}$/.test(query)) return []
  const { items } = await callEndpoint(call, webhooks.events, { query: { type: `${query}*`, limit: LIMIT } })
  return items.map(eventHit)
}

const eventHit = (event: Parameters<typeof describeEvent>[0]): Hit => {
  const { id, type, status, receivedAt } = describeEvent(event)
  return { kind: 'event', id, name: type, status, receivedAt }
}
