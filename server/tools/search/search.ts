import { z } from 'zod'
import { badRequest } from '../../errors.ts'
import { isTrusted, projectInput, projectOf, requireTrust } from '../project-ref.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { findBlocks } from './find-blocks.ts'
import { findEvents, findFiles, findProjects, findRuns, findSessions } from './find-records.ts'
import { type Hit, RESULTS_MAX, SEARCH_KINDS, type SearchKind } from './hit.ts'

interface SearchInput {
  call: ToolCall
  query: string
  /** The project whose blocks are searched; for a call that is not trusted, the project of the files too. */
  projectId: string | null
  allProjects: boolean
}

const SEARCHES: Record<SearchKind, (input: SearchInput) => Promise<Hit[]>> = {
  project: async ({ call, query, allProjects }) => (allProjects ? findProjects(call, query) : []),
  file: ({ call, query, projectId, allProjects }) =>
    findFiles(call, query, allProjects ? undefined : projectId!),
  block: async ({ call, query, projectId }) => (projectId ? findBlocks(call, query, projectId) : []),
  session: async ({ call, query, allProjects }) => (allProjects ? findSessions(call, query) : []),
  run: async ({ call, query, allProjects }) => (allProjects ? findRuns(call, query) : []),
  event: async ({ call, query, allProjects }) => (allProjects ? findEvents(call, query) : []),
}

interface SearchOptions {
  description: string
  kinds: readonly SearchKind[]
  /** The kinds that the caller may see; the others find nothing. */
  allowed?: readonly SearchKind[]
}

/** Finds records of these kinds. */
export function search({ description, kinds, allowed = kinds }: SearchOptions) {
  const input = z.strictObject({
    query: z.string().min(1).max(255).describe('Text in a name, title or content, or an id'),
    kinds: z.array(z.enum(kinds)).min(1).optional(),
    project: projectInput.describe('The project whose blocks are searched; default: the project of this run'),
  })
  const tool: Tool<z.output<typeof input>> = {
    name: 'search',
    description,
    input,
    effect: 'read',
    risk: 'none',
    async run(call, { query, kinds: requestedKinds = kinds, project: ref }) {
      const allProjects = isTrusted(call)
      const project = ref || call.projectId ? await projectOf(call, ref) : null
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
          note: 'Limited to the project of this run, which has read content from outside',
        }),
        ...(!project && allowed.includes('block') && { note: 'Blocks are searched only with a project' }),
      }
    },
  }
  return tool
}

/** The first of each list, then the second of each: no kind hides the others. */
function interleave<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}
