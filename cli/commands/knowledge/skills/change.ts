import { readFile } from 'node:fs/promises'
import { skills } from '../../../../contract/knowledge/skills.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, sanitize, sanitizeLines } from '../../../terminal.ts'
import { findSkill } from './list.ts'

interface ChangeOptions {
  server?: string
  json?: boolean
}

/** The server checks the archive; a person imports it in the browser, after reading it. */
export async function importSkill(
  file: string,
  options: ChangeOptions,
  environment: CliEnvironment,
): Promise<void> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', `${file}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`)
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
    `${file} is a valid skill. Importing it requires a browser session`,
    `Drop the file on ${server}/skills`,
  )
}

export async function removeSkill(
  ref: string,
  options: ChangeOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { id, name } = await findSkill(connection, ref)
  throw new Failure(
    'refused',
    `Deleting ${name} requires a browser session`,
    `Delete it in the dashboard: ${connection.server}/skills/${id}`,
  )
}
