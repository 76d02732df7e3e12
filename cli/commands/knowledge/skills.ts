import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { counted } from '../../../contract/counted.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { skills } from '../../../contract/knowledge/skills.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { explain, Failure, unreadable } from '../../failure.ts'
import { isId } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize, sanitizeLines, style } from '../../terminal.ts'
import { shorten } from '../agents/runs/labels.ts'

const HELP = `
<skill> is a name or an id. Agents follow what a skill says, so you edit skills in the browser: import and rm print
the URL.

Examples:
  npx atrium skills ls
  npx atrium skills show release-notes --file references/style.md
  npx atrium skills export release-notes
  npx atrium skills import release-notes.zip
`

export function addSkillCommands(program: Command, environment: CliEnvironment): void {
  const skills = program
    .command('skills')
    .description('List, show, check and export agent skills')
    .addHelpText('after', HELP)
    .exitOverride()
  command(skills, 'ls', 'List skills by name')
    .option('--search <text>', 'only skills whose name or description contains this text')
    .option('--limit <count>', 'number of skills, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listSkills(options, environment))
  command(skills, 'show <skill>', 'Show a skill’s instructions or one of its files')
    .option('--file <path>', 'file to show')
    .action((ref, options) => showSkill(ref, options, environment))
  command(skills, 'export <skill>', 'Write a skill to a zip file')
    .option('--output <file>', 'zip file to write (default: the skill name)')
    .action((ref, options) => exportSkill(ref, options, environment))
  command(
    skills,
    'import <file>',
    'Check a zip file, show its contents, and print the URL where you import it',
  ).action((file, options) => importSkill(file, options, environment))
  command(skills, 'rm <skill>', 'Print the URL where you delete a skill').action((ref, options) =>
    removeSkill(ref, options, environment),
  )
}

interface ListOptions {
  server?: string
  json?: boolean
  search?: string
  limit: number
}

const DESCRIPTION_COLUMNS = 80

async function listSkills(options: ListOptions, environment: CliEnvironment): Promise<void> {
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
  if (nextCursor) printMessage('There are more. Use --limit or --search.')
}

type Skill = OutputOf<typeof skills.get>

async function findSkill(connection: Connection, ref: string): Promise<Skill> {
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

async function showSkill(ref: string, options: ShowOptions, environment: CliEnvironment): Promise<void> {
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
      throw new Failure('failed', `${options.file} isn’t text: export the skill instead`)
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

interface ChangeOptions {
  server?: string
  json?: boolean
}

/** A user imports the archive in the browser after reading it. */
async function importSkill(file: string, options: ChangeOptions, environment: CliEnvironment): Promise<void> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', unreadable(file, error))
  })
  const { server, client } = await connect(options.server, environment)
  const call = client.skills.preview({ archive: bytes.toString('base64') })
  const preview = await parseResponse(server, skills.preview, call)
  if (options.json) printData(preview)
  else {
    print(`${preview.name}  ${sanitizeLines(preview.description)}`)
    for (const { path, size } of preview.files) print(`  ${sanitize(path)}  ${size} bytes`)
    print(sanitizeLines(preview.instructions.trimEnd()))
  }
  throw new Failure(
    'refused',
    `${file} is a valid skill. Import it in the browser`,
    `Drop the file on ${server}/skills`,
  )
}

async function removeSkill(ref: string, options: ChangeOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { id, name } = await findSkill(connection, ref)
  throw new Failure(
    'refused',
    `You can only delete ${name} in the browser`,
    `Delete it in the dashboard: ${connection.server}/skills/${id}`,
  )
}

interface ExportOptions {
  server?: string
  json?: boolean
  output?: string
}

/** The zip file must not exist yet. */
async function exportSkill(ref: string, options: ExportOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { id, name } = await findSkill(connection, ref)
  const response = await connection.request(`/api/v1/skills/${id}/export`).catch((error: unknown) => {
    throw explain(error, connection.server)
  })
  if (!response.ok) throw new Failure('failed', `The server responded with status ${response.status}`)
  const file = options.output ?? `${name}.zip`
  const bytes = Buffer.from(await response.arrayBuffer())
  await writeFile(file, bytes, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(
      'failed',
      error.code === 'EEXIST' ? `${file} already exists: use --output` : error.message,
    )
  })
  if (options.json) return printData({ file, bytes: bytes.length })
  printMessage(`Wrote ${file} (${bytes.length} bytes)`)
}
