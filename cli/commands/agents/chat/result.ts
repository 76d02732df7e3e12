import { readFile } from 'node:fs/promises'
import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { findSchemaProblem, type OutputSchema } from '../../../../contract/agents/output-rules.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure, unreadable } from '../../../failure.ts'
import { print } from '../../../terminal.ts'

/** Checked before anything is sent. The server also checks patterns. */
export async function readSchema(file: string): Promise<OutputSchema> {
  const source = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('usage', unreadable(file, error))
  })
  const schema = parseJson(source, file)
  const problem = findSchemaProblem(schema)
  if (problem) throw new Failure('usage', `${file}: ${problem.path.join('.')} ${problem.rule}`)
  return schema as OutputSchema
}

function parseJson(source: string, file: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new Failure('usage', `${file} is not valid JSON: ${(error as Error).message}`)
  }
}

/** Nothing if the run has none. */
export async function printResult({ server, client }: Connection, runId: string): Promise<void> {
  const { output } = await parseResponse(server, agentRuns.get, client.agentRuns.get({ id: runId }))
  if (output !== null) print(JSON.stringify(output, null, 2))
}
