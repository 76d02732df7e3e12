import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { files } from '../../../contract/files/files.ts'
import { skills } from '../../../contract/knowledge/skills.ts'
import { projects } from '../../../contract/projects/projects.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import type { ToolCall } from '../../tools/tool.ts'

const LIMIT = 100
const PREFIX = 'use_skill_'

/** Members chose these skills, so a client may follow them. */
export async function listPrompts(call: ToolCall, cursor: string | undefined) {
  const { items, nextCursor } = await callEndpoint(call, skills.list, { query: { limit: LIMIT, cursor } })
  return {
    prompts: items.map(({ name, description }) => ({
      name: `${PREFIX}${name}`,
      title: name,
      description,
      arguments: [{ name: 'task', description: 'What to do with the skill', required: false }],
    })),
    ...(nextCursor && { nextCursor }),
  }
}

export async function getPrompt(call: ToolCall, name: string, task: string | undefined) {
  const skill = name.startsWith(PREFIX) ? await findSkill(call, name.slice(PREFIX.length)) : null
  if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}`)
  const { id, description, instructions, files } = await callEndpoint(call, skills.get, {
    params: { id: skill.id },
  })
  const paths = files.map(({ path }) => path)
  const text = [
    `Use the skill ${skill.name}: ${description}`,
    instructions,
    ...(paths.length > 0
      ? [`Its files, which run_action skills.file reads with id ${id} and path: ${paths.join(', ')}`]
      : []),
    ...(task ? [`Task: ${task}`] : []),
  ].join('\n\n')
  return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}

async function findSkill(call: ToolCall, name: string) {
  if (name === '') return null
  const { items } = await callEndpoint(call, skills.list, { query: { q: name.slice(0, 200), limit: LIMIT } })
  return items.find((skill) => skill.name === name) ?? null
}

/** The protocol's maximum per response. */
const VALUES_MAX = 100

interface CompletionRef {
  ref: { type: string }
  argument: { name: string; value: string }
}

/** Project slugs, and file ids by part of their name. */
export async function complete(call: ToolCall, { ref, argument: { name, value } }: CompletionRef) {
  if (ref.type !== 'ref/resource') return completion([], false)
  const search = value === '' ? undefined : value.slice(0, 255)
  const query = { search, limit: VALUES_MAX }
  if (name === 'slug') {
    const { items, nextCursor } = await callEndpoint(call, projects.list, { query })
    const slugs = items.map(({ slug }) => slug)
    return completion(slugs, nextCursor !== null)
  }
  if (name === 'id') {
    const { items, nextCursor } = await callEndpoint(call, files.list, { query })
    const fileIds = items.filter(({ source }) => source !== 'folder').map(({ id }) => id)
    return completion(fileIds, nextCursor !== null)
  }
  return completion([], false)
}

const completion = (values: string[], hasMore: boolean) => ({
  completion: { values, hasMore, ...(hasMore ? {} : { total: values.length }) },
})
