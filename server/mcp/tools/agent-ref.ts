import { agents } from '../../../contract/agents/agents.ts'
import { Id } from '../../../contract/fields.ts'
import { ApiError, badRequest } from '../../errors.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { candidates } from '../../tools/project-ref.ts'
import type { ToolCall } from '../../tools/tool.ts'

export async function resolveAgentId(call: ToolCall, ref: string): Promise<string> {
  if (Id.safeParse(ref).success) return ref
  const { items } = await callEndpoint(call, agents.list, { query: { q: ref, limit: 100 } })
  const matches = items.filter(({ name }) => name === ref)
  if (matches.length === 1) return matches[0]!.id
  if (matches.length > 1)
    throw badRequest(
      `agent: several agents are named ${ref}. Use an id: ${candidates(matches.map(({ id }) => id))}`,
    )
  const all = await callEndpoint(call, agents.list, { query: { sort: 'name', limit: 20 } })
  throw new ApiError(
    'NOT_FOUND',
    `agent: there is no agent ${ref}. Agents: ${candidates(all.items.map(({ name }) => name))}`,
  )
}
