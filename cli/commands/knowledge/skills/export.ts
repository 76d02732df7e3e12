import { writeFile } from 'node:fs/promises'
import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import { printData, printMessage } from '../../../terminal.ts'
import { findSkill } from './list.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  output?: string
}

/** Writes the zip file of a skill, which must not exist yet. */
export async function exportSkill(
  ref: string,
  options: ExportOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { id, name } = await findSkill(connection, ref)
  const response = await connection.request(`/api/v1/skills/${id}/export`).catch((error: unknown) => {
    throw explain(error, connection.server)
  })
  if (!response.ok) throw new Failure('failed', `The server answered with ${response.status}`)
  const file = options.output ?? `${name}.zip`
  const bytes = Buffer.from(await response.arrayBuffer())
  await writeFile(file, bytes, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', error.code === 'EEXIST' ? `${file} exists: use --output` : error.message)
  })
  if (options.json) return printData({ file, bytes: bytes.length })
  printMessage(`Wrote ${file} (${bytes.length} bytes)`)
}
