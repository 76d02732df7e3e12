import { print, sanitize } from '../terminal.ts'
import { writeDocument } from './document.ts'
import type { Agent } from './find.ts'

/** Prints an agent as YAML: as it is to a file or program, without control characters to a terminal. */
export async function printDocument(agent: Agent, options?: { withId?: boolean }): Promise<void> {
  const lines = (await writeDocument(agent, options)).trimEnd().split('\n')
  for (const line of lines) print(process.stdout.isTTY ? sanitize(line) : line)
}
