import { memory } from '../../../../contract/knowledge/memory.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { requireId } from '../../agents/runs/find.ts'
import { findProject } from '../../projects/projects/find.ts'

interface SaveOptions {
  server?: string
  json?: boolean
  project?: string
  key?: string
  text?: string
  tag?: string[]
}

export async function addMemory(
  key: string,
  content: string,
  options: SaveOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const call = client.memory.create({ projectId, key, content, tags: options.tag ?? [] })
  const saved = await parseResponse(server, memory.create, call)
  if (options.json) return printData(saved)
  printMessage(`${saved.version === 1 ? 'Saved' : 'Replaced'} ${sanitize(saved.key)}  ${saved.id}`)
}

export async function editMemory(
  ref: string,
  { key, text, tag, ...options }: SaveOptions,
  environment: CliEnvironment,
): Promise<void> {
  if (key === undefined && text === undefined && tag === undefined)
    throw new Failure('usage', 'Nothing to change: use --key, --text or --tag')
  const id = requireId(ref, 'memory', 'memory ls')
  const { server, client } = await connect(options.server, environment)
  const call = client.memory.update({ id, key, content: text, tags: tag })
  const saved = await parseResponse(server, memory.update, call)
  if (options.json) return printData(saved)
  printMessage(`Changed ${sanitize(saved.key)}, version ${saved.version}`)
}
