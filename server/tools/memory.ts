import { z } from 'zod'
import { memory } from '../../contract/knowledge/memory.ts'
import { MEMORY_LIMITS } from '../../contract/knowledge/memory-options.ts'
import { isolateName } from '../../contract/text-with-names.ts'
import { fence } from '../language-models/fence.ts'
import { callEndpoint } from './call-endpoint.ts'
import { clip } from './clip.ts'
import { projectInput, resolveProject } from './project-ref.ts'
import type { Tool } from './tool.ts'

const RESULTS_MAX = 10
const CONTENT_BYTES = 24_000

const searchInput = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(MEMORY_LIMITS.query)
    .describe('Words, "exact phrases", `or`, `-excluded`; or a key'),
  project: projectInput,
})

export const searchMemory: Tool<z.output<typeof searchInput>> = {
  name: 'search_memory',
  description:
    'Find what people and agents saved for a project or for the organization: decisions, preferences, facts. Use it before you ask a person for something that may be known.',
  input: searchInput,
  effect: 'read',
  risk: 'none',
  async run(call, { query: q, project: ref }) {
    const project = ref || call.projectId ? await resolveProject(call, ref) : null
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

const saveInput = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(MEMORY_LIMITS.key)
    .describe('A short name; saving under the same key replaces the text'),
  content: z.string().min(1).max(MEMORY_LIMITS.content),
  scope: z
    .enum(['project', 'org'])
    .default('project')
    .describe('project: the project’s agents find it; org: those in every project'),
  project: projectInput,
})

export const saveMemory: Tool<z.output<typeof saveInput>> = {
  name: 'save_memory',
  description:
    'Save what will be useful in later conversations: a decision, a preference, a fact. Never save passwords or other secrets.',
  input: saveInput,
  effect: 'transaction',
  risk: 'none',
  summarize: ({ key, content }) => `Save to the memory under ${isolateName(key)}: ${content.slice(0, 500)}`,
  async run(call, { key, content, scope, project }) {
    const projectId = scope === 'project' ? (await resolveProject(call, project)).id : null
    const saved = await callEndpoint(call, memory.create, { body: { scope, projectId, key, content } })
    if (saved.status === 'active') return { id: saved.id, key: saved.key, status: 'active' }
    return {
      id: saved.id,
      key: saved.key,
      status: 'proposed',
      note: 'This run has read untrusted content, so a member has to accept the memory before agents find it',
    }
  },
}
