import { agents } from '../../../../contract/agents/agents.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { isId } from '../../../parse.ts'

export type Agent = OutputOf<typeof agents.get>

interface ListFilter {
  q?: string
  archived?: boolean
}

export async function listAll(connection: Connection, { q, archived }: ListFilter = {}): Promise<Agent[]> {
  const { server, client } = connection
  const items: Agent[] = []
  let cursor: string | undefined
  do {
    const query = { q, archived: archived ? ('true' as const) : ('false' as const), sort: 'name' as const }
    const page = await parseResponse(
      server,
      agents.list,
      client.agents.list({ ...query, limit: 100, cursor }),
    )
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

/** Accepts an id, or a unique name that isn't archived. */
export async function findAgent(connection: Connection, ref: string): Promise<Agent> {
  const { server, client } = connection
  if (isId(ref)) return parseResponse(server, agents.get, client.agents.get({ id: ref }))
  const found = findByName(await listAll(connection), ref)
  return found ?? notFound(ref)
}

function findByName(all: Agent[], name: string): Agent | null {
  const found = all.filter((agent) => agent.name === name)
  if (found.length <= 1) return found[0] ?? null
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} agents are named ${name}: use an id`, `Ids: ${ids}`)
}

function notFound(ref: string): never {
  throw new Failure('failed', `Agent ${ref} not found`, 'Run `npx atrium agents ls` to list agents.')
}
