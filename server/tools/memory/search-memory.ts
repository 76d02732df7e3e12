import { z } from 'zod'
import { memory } from '../../../contract/knowledge/memory.ts'
import { MEMORY_LIMITS } from '../../../contract/knowledge/memory-options.ts'
import { fence } from '../../models/fence.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { clip } from '../clip.ts'
import { projectInput, projectOf } from '../project-ref.ts'
import type { Tool } from '../tool.ts'

const RESULTS_MAX = 10
/** The maximum of all contents in one answer. */
const CONTENT_BYTES = 24_000

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(MEMORY_LIMITS.query)
    .describe('Words, "exact phrases", `or`, `-excluded`; or a key'),
  project: projectInput,
})

export const searchMemory: Tool<z.output<typeof input>> = {
  name: 'search_memory',
  description:
    'Find what people and agents saved for a project or for the organization: decisions, preferences, facts. Use it before you ask a person for something that may be known.',
  input,
  effect: 'read',
  risk: 'none',
  async run(call, { query: q, project: ref }) {
    const project = ref || call.projectId ? await projectOf(call, ref) : null
    const find = async (where: object) =>
      (await callEndpoint(call, memory.list, { query: { ...where, q, limit: RESULTS_MAX } })).items
    const inProject = project ? await find({ projectId: project.id }) : []
    const found = [...inProject, ...(await find({ scope: 'org' }))]
    const best = found
      .toSorted((a, b) => b.score! - a.score! || (a.updatedAt < b.updatedAt ? 1 : -1))
      .slice(0, RESULTS_MAX)
    if (best.length === 0) return { memories: [], note: 'Nothing matches: try fewer or other words' }
    const bytes = Math.floor(CONTENT_BYTES / best.length)
    return {
      memories: best.map(({ key, scope, tags, source, content, updatedAt }) => ({
        key,
        scope,
        ...(tags.length > 0 && { tags }),
        writtenBy: source === 'run' ? 'an agent' : 'a person',
        updatedAt,
        content: fence(clip(content, bytes).text, 'the memory'),
      })),
    }
  },
}
