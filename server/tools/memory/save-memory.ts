import { z } from 'zod'
import { memory } from '../../../contract/knowledge/memory.ts'
import { MEMORY_LIMITS } from '../../../contract/knowledge/memory-options.ts'
import { isolateName } from '../../../contract/text-with-names.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, projectOf } from '../project-ref.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(MEMORY_LIMITS.key)
    .describe('A short name; saving under the same key replaces the text'),
  content: z.string().min(1).max(MEMORY_LIMITS.content),
  scope: z
    .enum(['project', 'org'])
    .default('project')
    .describe('project: agents of the project find it; org: those of every project'),
  project: projectInput,
})

export const saveMemory: Tool<z.output<typeof input>> = {
  name: 'save_memory',
  description:
    'Save what will be useful in later conversations: a decision, a preference, a fact. Never save passwords or other secrets.',
  input,
  effect: 'transaction',
  risk: 'none',
  summarize: ({ key, content }) => `Save to the memory under ${isolateName(key)}: ${content.slice(0, 500)}`,
  async run(call, { key, content, scope, project }) {
    const projectId = scope === 'project' ? (await projectOf(call, project)).id : null
    const saved = await callEndpoint(call, memory.create, { body: { scope, projectId, key, content } })
    if (saved.status === 'active') return { id: saved.id, key: saved.key, status: 'active' }
    return {
      id: saved.id,
      key: saved.key,
      status: 'proposed',
      note: 'This run has read content from outside, so a person has to accept the memory before agents find it',
    }
  },
}
