import { SETTING_NAMES } from '../../../../contract/agents/agent-fields.ts'
import { guardrails } from '../../../../contract/agents/guardrails.ts'
import { mcpServers as mcpServersContract } from '../../../../contract/agents/mcp-servers.ts'
import { skills } from '../../../../contract/knowledge/skills.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { findProject } from '../../projects/projects/find.ts'
import { listAll as listSchedules, type Schedule } from '../schedules.ts'
import { type Agent, listAll as listAgents } from './find.ts'
import type { Kind } from './kinds.ts'

export interface Entry {
  kind: Kind
  id: string
  name: string
  version: number | null
  /** Null except for schedules. */
  projectId: string | null
  /** Loaded on demand: each skill file takes a request. */
  fields: () => Promise<Record<string, unknown>>
}

export type Inventory = Awaited<ReturnType<typeof readInventory>>

/** Also reads the records these name: agents name skills, schedules name agents. */
export async function readInventory(connection: Connection, kinds: ReadonlySet<Kind>) {
  const isNeededBy = (...dependents: Kind[]) => dependents.some((kind) => kinds.has(kind))
  const entries: Entry[] = []
  const mcpServers = isNeededBy('agent', 'schedule') ? await readMcpServers(connection) : []
  const nameOf = (kind: Kind, id: string) => {
    const found = entries.find((entry) => entry.kind === kind && entry.id === id)
    return found && isUnique(kind, found.name) ? found.name : id
  }
  const isUnique = (kind: Kind, name: string) =>
    entries.filter((entry) => entry.kind === kind && entry.name === name).length === 1
  if (isNeededBy('skill', 'agent', 'schedule')) entries.push(...(await readSkills(connection)))
  if (isNeededBy('guardrail', 'agent', 'schedule')) entries.push(...(await readGuardrails(connection)))
  if (isNeededBy('agent', 'schedule'))
    for (const agent of await listAgents(connection)) entries.push(agentEntry(agent, nameOf, mcpServers))
  if (isNeededBy('schedule'))
    for (const schedule of await listSchedules(connection))
      entries.push(scheduleEntry(connection, schedule, nameOf))
  return { entries, isUnique, mcpServers }
}

async function readSkills(connection: Connection): Promise<Entry[]> {
  const { server, client } = connection
  const items: Entry[] = []
  let cursor: string | undefined
  do {
    const page = await parseResponse(server, skills.list, client.skills.list({ limit: 100, cursor }))
    for (const { id, name, version } of page.items)
      items.push({
        kind: 'skill',
        id,
        name,
        version,
        projectId: null,
        fields: () => skillFields(connection, id),
      })
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

async function skillFields({ server, client }: Connection, id: string): Promise<Record<string, unknown>> {
  const skill = await parseResponse(server, skills.get, client.skills.get({ id }))
  const files: object[] = []
  for (const { path } of skill.files) {
    const file = await parseResponse(server, skills.file, client.skills.file({ id, path }))
    files.push({ path, ...(file.text === null ? { base64: file.base64 } : { text: file.text }) })
  }
  const { description, license, compatibility, metadata, allowedTools, instructions } = skill
  return { description, license, compatibility, metadata, allowedTools, instructions, files }
}

async function readGuardrails({ server, client }: Connection): Promise<Entry[]> {
  const { items } = await parseResponse(server, guardrails.list, client.guardrails.list())
  return items.map(({ id, name, version, kind, on, action, config, everywhere, enabled }) => ({
    ...{ kind: 'guardrail', id, name, version, projectId: null },
    fields: async () => ({ kind, on, action, config, everywhere, enabled }),
  }))
}

/** MCP server names are unique. */
async function readMcpServers({ server, client }: Connection): Promise<{ id: string; name: string }[]> {
  const { items } = await parseResponse(server, mcpServersContract.list, client.mcpServers.list())
  return items.map(({ id, name }) => ({ id, name }))
}

type NameOf = (kind: Kind, id: string) => string

export function agentEntry(
  agent: Agent,
  nameOf: NameOf,
  servers: readonly { id: string; name: string }[],
): Entry {
  const { id, name, version } = agent
  const { name: _, ...fields } = Object.fromEntries(SETTING_NAMES.map((field) => [field, agent[field]]))
  return {
    ...{ kind: 'agent', id, name, version, projectId: null },
    fields: async () => ({
      ...fields,
      skills: agent.skills.map((each) => nameOf('skill', each)),
      guardrails: agent.guardrails.map((each) => nameOf('guardrail', each)),
      mcpServers: agent.mcpServers.map((each) => servers.find((server) => server.id === each)?.name ?? each),
    }),
  }
}

function scheduleEntry(connection: Connection, schedule: Schedule, nameOf: NameOf): Entry {
  const { id, name, projectId, agentId, blockId, message, cron, timeZone, enabled } = schedule
  return {
    ...{ kind: 'schedule', id, name, version: null, projectId },
    fields: async () => ({
      project: (await findProject(connection, projectId)).slug,
      ...(blockId === null ? { agent: nameOf('agent', agentId!), message } : { block: blockId }),
      ...{ cron, timeZone, enabled },
    }),
  }
}
