import { readFile } from 'node:fs/promises'
import { memory } from '../../../../contract/knowledge/memory.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { explain, Failure, unreadable } from '../../../failure.ts'
import { print, printData, printMessage, sanitizeLines } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'

interface TransferOptions {
  server?: string
  json?: boolean
  project?: string
  format?: string
}

export async function exportMemory(options: TransferOptions, environment: CliEnvironment): Promise<void> {
  const { format = 'json' } = options
  if (format !== 'json' && format !== 'markdown')
    throw new Failure('usage', '--format must be json or markdown')
  const connection = await connect(options.server, environment)
  const projectId = options.project && (await findProject(connection, options.project)).id
  const query = new URLSearchParams({ format, ...(projectId && { projectId }) })
  const response = await connection.request(`/api/v1/memory/export?${query}`).catch((error: unknown) => {
    throw explain(error, connection.server)
  })
  if (!response.ok) throw new Failure('failed', `The server responded with status ${response.status}`)
  const text = await response.text()
  if (format === 'json') return printData(JSON.parse(text))
  print(sanitizeLines(text.trimEnd()))
}

export async function importMemory(
  file: string,
  options: TransferOptions,
  environment: CliEnvironment,
): Promise<void> {
  const { items } = await readExport(file)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const call = client.memory.import({ projectId, items })
  const counts = await parseResponse(server, memory.import, call)
  if (options.json) return printData(counts)
  printMessage(`${counts.created} created, ${counts.replaced} replaced, ${counts.unchanged} unchanged`)
}

type Items = Parameters<Awaited<ReturnType<typeof connect>>['client']['memory']['import']>[0]['items']

async function readExport(file: string): Promise<{ items: Items }> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', unreadable(file, error))
  })
  try {
    const { items } = JSON.parse(text) as { items: Items }
    if (Array.isArray(items)) return { items }
  } catch {
    // Invalid JSON is reported below.
  }
  throw new Failure(
    'failed',
    `${file} isn’t a JSON memory export`,
    'Create one with `npx atrium memory export`.',
  )
}
