import { counted } from '../../../../contract/counted.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { skills } from '../../../../contract/knowledge/skills.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { isId } from '../../../is-id.ts'
import {
  print,
  printData,
  printMessage,
  printTable,
  sanitize,
  sanitizeLines,
  style,
} from '../../../terminal.ts'
import { shorten } from '../../agents/runs/labels.ts'

interface ListOptions {
  server?: string
  json?: boolean
  search?: string
  limit: number
}

const DESCRIPTION_COLUMNS = 80

export async function listSkills(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const call = client.skills.list({ q: options.search, limit: options.limit })
  const { items, nextCursor } = await parseResponse(server, skills.list, call)
  if (options.json) return printData({ items, nextCursor })
  if (items.length === 0) return printMessage('No skills')
  printTable(
    items.map(({ name, agentCount, fileCount, description }) => [
      name,
      counted(fileCount, 'file'),
      counted(agentCount, 'agent'),
      shorten(description, DESCRIPTION_COLUMNS),
    ]),
  )
  if (nextCursor) printMessage('There are more: use --limit or --search.')
}

type Skill = OutputOf<typeof skills.get>

/** Finds a skill by id or name. */
export async function findSkill(connection: Connection, ref: string): Promise<Skill> {
  const { server, client } = connection
  const id = isId(ref) ? ref : await findIdByName(connection, ref)
  if (!id) throw new Failure('failed', `Skill ${ref} not found`, 'Run `npx atrium skills ls` to list skills.')
  return parseResponse(server, skills.get, client.skills.get({ id }))
}

async function findIdByName({ server, client }: Connection, ref: string): Promise<string | undefined> {
  const call = client.skills.list({ q: ref.slice(0, 200), limit: 100 })
  const { items } = await parseResponse(server, skills.list, call)
  return items.find(({ name }) => name === ref)?.id
}

interface ShowOptions {
  server?: string
  json?: boolean
  file?: string
}

export async function showSkill(
  ref: string,
  options: ShowOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const skill = await findSkill(connection, ref)
  if (options.file !== undefined) {
    const file = await parseResponse(
      server,
      skills.file,
      client.skills.file({ id: skill.id, path: options.file }),
    )
    if (options.json) return printData(file)
    if (file.text === null)
      throw new Failure('failed', `${options.file} is not text: export the skill instead`)
    return print(sanitizeLines(file.text.trimEnd()))
  }
  if (options.json) return printData(skill)
  print(style('bold', skill.name, process.stdout))
  print(sanitizeLines(skill.description))
  print(
    `  version ${skill.version}, agents: ${skill.agents.map(({ name }) => sanitize(name)).join(', ') || 'none'}`,
  )
  for (const { path, size } of skill.files) print(`  ${sanitize(path)}  ${size} bytes`)
  print()
  print(sanitizeLines(skill.instructions.trimEnd()))
}
