import { z } from 'zod'
import { agentRuns } from '../../contract/agents/agent-runs.ts'
import { sessions } from '../../contract/agents/sessions.ts'
import { Id } from '../../contract/fields.ts'
import { search as endpoints } from '../../contract/search/search.ts'
import type { SearchType } from '../../contract/search/search-options.ts'
import { webhooks } from '../../contract/webhooks/webhooks.ts'
import { badRequest } from '../errors.ts'
import { callEndpoint, findByEndpoint } from './call-endpoint.ts'
import { createBlockFinder, loadOutline, shortRefs } from './canvas/load-canvas.ts'
import { describeEvent } from './events.ts'
import { isTrusted, projectInput, requireTrust, resolveProject } from './project-ref.ts'
import type { Tool, ToolCall } from './tool.ts'

export const SEARCH_KINDS = ['project', 'file', 'block', 'table', 'session', 'run', 'event'] as const
type SearchKind = (typeof SEARCH_KINDS)[number]

const RESULTS_MAX = 20

interface Hit {
  kind: SearchKind
  id: string
  name: string
  [more: string]: unknown
}

interface SearchInput {
  call: ToolCall
  query: string
  /** Where blocks are searched and, for an untrusted call, files too. */
  projectId: string | null
  allProjects: boolean
}

const SEARCHES: Record<SearchKind, (input: SearchInput) => Promise<Hit[]>> = {
  project: async ({ call, query, allProjects }) => (allProjects ? findProjects(call, query) : []),
  file: ({ call, query, projectId, allProjects }) =>
    findFiles(call, query, allProjects ? undefined : projectId!),
  block: async ({ call, query, projectId }) => (projectId ? findBlocks(call, query, projectId) : []),
  table: ({ call, query, projectId, allProjects }) =>
    findTables(call, query, allProjects ? undefined : projectId!),
  session: async ({ call, query, allProjects }) => (allProjects ? findSessions(call, query) : []),
  run: async ({ call, query, allProjects }) => (allProjects ? findRuns(call, query) : []),
  event: async ({ call, query, allProjects }) => (allProjects ? findEvents(call, query) : []),
}

interface SearchOptions {
  description: string
  kinds: readonly SearchKind[]
  /** Other kinds find nothing. */
  allowed?: readonly SearchKind[]
}

export function search({ description, kinds, allowed = kinds }: SearchOptions) {
  const input = z.strictObject({
    query: z.string().min(1).max(255).describe('Text in a name, title or content, or an id'),
    kinds: z.array(z.enum(kinds)).min(1).optional(),
    project: projectInput.describe('The project whose blocks are searched; default: this run’s project'),
  })
  const tool: Tool<z.output<typeof input>> = {
    name: 'search',
    description,
    input,
    effect: 'read',
    risk: 'none',
    async run(call, { query, kinds: requestedKinds = kinds, project: ref }) {
      const allProjects = isTrusted(call)
      const project = ref || call.projectId ? await resolveProject(call, ref) : null
      if (!project && requestedKinds.includes('block') && requestedKinds.length === 1)
        throw badRequest('project: blocks are searched in one project: give its id, slug or exact name')
      if (!project && !allProjects) requireTrust(call)
      const lists: Hit[][] = []
      for (const kind of SEARCH_KINDS)
        if (requestedKinds.includes(kind) && allowed.includes(kind))
          lists.push(await SEARCHES[kind]({ call, query, projectId: project?.id ?? null, allProjects }))
      const results = interleave(lists)
      return {
        results: results.slice(0, RESULTS_MAX),
        ...(results.length > RESULTS_MAX && { more: 'There are more results: use a longer query, or kinds' }),
        ...(!allProjects && {
          note: 'Limited to this run’s project, because the run has read untrusted content',
        }),
        ...(!project && allowed.includes('block') && { note: 'Blocks are searched only with a project' }),
      }
    },
  }
  return tool
}

/** Alternates between lists so that no kind hides the others. */
function interleave<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}

const LIMIT = RESULTS_MAX + 1
const isId = (query: string) => Id.safeParse(query).success

const findProjects = async (call: ToolCall, query: string): Promise<Hit[]> =>
  (await findByText(call, query, 'project')).map(({ id, title }) => ({ kind: 'project', id, name: title }))

const findFiles = async (call: ToolCall, query: string, projectId: string | undefined): Promise<Hit[]> =>
  (await findByText(call, query, 'file', projectId)).map((file) => ({
    kind: 'file',
    id: file.id,
    name: file.title,
    projectId: file.projectId,
  }))

const findTables = async (call: ToolCall, query: string, projectId: string | undefined): Promise<Hit[]> =>
  (await findByText(call, query, 'table', projectId)).map((table) => ({
    kind: 'table',
    id: table.id,
    name: table.title,
    projectId: table.projectId,
  }))

async function findSessions(call: ToolCall, query: string): Promise<Hit[]> {
  const byId = isId(query) && (await findByEndpoint(call, sessions.get, { params: { id: query } }))
  const found = byId
    ? [byId]
    : (await callEndpoint(call, sessions.list, { query: { search: query.slice(0, 200), limit: LIMIT } }))
        .items
  return found.map(({ id, title, origin, projectId, lastMessageAt }) => ({
    kind: 'session',
    id,
    // A third party may have sent the first message, which starts the title.
    name: origin === 'provider' ? '(from outside)' : (title ?? ''),
    projectId,
    lastMessageAt,
  }))
}

/** By id only: runs have no text to search. */
async function findRuns(call: ToolCall, query: string): Promise<Hit[]> {
  const run = isId(query) && (await findByEndpoint(call, agentRuns.get, { params: { id: query } }))
  if (!run) return []
  const { id, agentName, status, sessionId, projectId } = run
  return [{ kind: 'run', id, name: agentName, status, sessionId, projectId }]
}

async function findEvents(call: ToolCall, query: string): Promise<Hit[]> {
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

const SHORT_REF = /^[0-9a-f]{8}$/

async function findBlocks(call: ToolCall, query: string, projectId: string): Promise<Hit[]> {
  const items = await findByText(call, query, 'block', projectId)
  const { items: blocks } = await loadOutline(call, projectId)
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const refOf = shortRefs(blocks)
  const idByRef = SHORT_REF.test(query.toLowerCase()) ? tryFind(createBlockFinder(blocks), query) : null
  const ids = [...new Set([...(idByRef ? [idByRef] : []), ...items.map(({ id }) => id)])].slice(
    0,
    RESULTS_MAX + 1,
  )
  const outside = await call.findOutsideBlocks(projectId, ids, ['title'])
  return ids.flatMap((id) => {
    const block = byId.get(id)
    if (!block) return []
    const name = outside.has(id) ? '(by a guest)' : (block.title ?? '')
    return [{ kind: 'block', id, name, ref: refOf(id), type: block.type, projectId }]
  })
}

function tryFind(find: (ref: string, field: string) => string, ref: string): string | null {
  try {
    return find(ref, 'query')
  } catch {
    return null
  }
}

/** Omits excerpts, which third parties may have written. */
async function findByText(call: ToolCall, q: string, type: SearchType, projectId?: string) {
  const query = { q, types: type, limit: RESULTS_MAX + 1, ...(projectId && { projectId }) }
  return (await callEndpoint(call, endpoints.find, { query })).items
}
