import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CliEnvironment } from '../../../config.ts'

const fileOf = ({ folder }: CliEnvironment) => join(folder, 'chat-history.json')

/** The lines of earlier conversations, the latest first. A file that cannot be read counts as empty. */
export async function readHistory(environment: CliEnvironment): Promise<string[]> {
  try {
    const lines: unknown = JSON.parse(await readFile(fileOf(environment), 'utf8'))
    return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : []
  } catch {
    return []
  }
}

/** Writes a file that only the user can read, since messages can be confidential. A read-only home is no error. */
export async function writeHistory(environment: CliEnvironment, lines: string[]): Promise<void> {
  await mkdir(environment.folder, { recursive: true, mode: 0o700 })
    .then(() => writeFile(fileOf(environment), JSON.stringify(lines), { mode: 0o600 }))
    .catch(() => {})
}
