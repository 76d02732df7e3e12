import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { parseJson } from '../../parse-json.ts'
import { print, printData, printTable, sanitize, sanitizeLines } from '../../terminal.ts'
import { requestMcp } from './request.ts'

interface Options {
  server?: string
  json?: boolean
}

interface ListedTool {
  name: string
  description: string
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

export async function listTools(options: Options, environment: CliEnvironment): Promise<void> {
  const { tools } = await requestMcp(await connect(options.server, environment), 'tools/list')
  const list = tools as ListedTool[]
  if (options.json) return printData({ tools: list })
  printTable([
    ['TOOL', 'CHANGES', 'USE'],
    ...list.map(({ name, description, annotations: { readOnlyHint, destructiveHint } }) => [
      sanitize(name),
      readOnlyHint ? 'no' : destructiveHint ? 'deletes' : 'yes',
      sanitize(description.split(/(?<=\.) /)[0]!),
    ]),
  ])
}

interface ToolResult {
  content: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

/** Prints the data of the tool as JSON; an error of the tool is a failure. */
export async function callTool(
  name: string,
  input: string | undefined,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const args = input === undefined ? {} : parseJson(input)
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new Failure('usage', 'The input is not a JSON object', `Example: '{"query": "launch"}'`)
  const connection = await connect(options.server, environment)
  const result = await requestMcp(connection, 'tools/call', { name, arguments: args })
  const { content, structuredContent, isError } = result as unknown as ToolResult
  const text = content.map((part) => part.text ?? `(${part.type})`).join('\n')
  if (isError) throw new Failure('refused', sanitizeLines(text))
  if (structuredContent === undefined) print(sanitizeLines(text))
  else printData(structuredContent)
}
