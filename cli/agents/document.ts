import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { SETTING_NAMES } from '../../contract/agents/agent-fields.ts'
import { agents } from '../../contract/agents/agents.ts'
import { Id } from '../../contract/fields.ts'
import { Failure } from '../failure.ts'
import type { Agent } from './find.ts'

const Document = z
  .object({ ...agents.update.body.shape, name: agents.create.body.shape.name, id: Id.optional() })
  .strict()

/** The settings of an agent in a file. Settings that it does not name stay as they are. */
export type AgentDocument = z.output<typeof Document>

/** Reads the agents of a YAML or JSON file, or of standard input for `-`. */
export async function readDocuments(file: string): Promise<AgentDocument[]> {
  const values = await parseAll(await readText(file), file)
  if (values.length === 0) throw new Failure('usage', `${file} contains no agent`)
  return values.map((value, index) =>
    check(value, values.length === 1 ? file : `${file}, agent ${index + 1}`),
  )
}

const readText = (file: string) =>
  file === '-'
    ? text(process.stdin)
    : readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new Failure('usage', `${file} cannot be read: ${error.code ?? error.message}`)
      })

/** JSON is YAML too. A document is one agent or a list of them. The parser loads with its first use. */
async function parseAll(source: string, file: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml')
  const parsed = parseAllDocuments(source)
  const values: unknown[] = []
  for (const document of 'empty' in parsed ? [] : parsed) {
    const [problem] = document.errors
    if (problem) throw new Failure('usage', `${file} is not valid YAML: ${problem.message.split('\n', 1)[0]}`)
    const value: unknown = document.toJS()
    if (value !== null) values.push(...(Array.isArray(value) ? value : [value]))
  }
  return values
}

function check(value: unknown, where: string): AgentDocument {
  const parsed = Document.safeParse(withTextAmount(value))
  if (parsed.success) return parsed.data
  const { path, message, code, ...issue } = parsed.error.issues[0]!
  const keys = 'keys' in issue ? (issue.keys as string[]) : []
  const problem =
    code === 'unrecognized_keys'
      ? `${[...path, keys[0]].join('.')} is not a setting`
      : `${path.join('.')} ${message}`
  throw new Failure('usage', `${where}: ${problem.trim()}`)
}

/** YAML reads `amount: 2.50` as a number. */
function withTextAmount(value: unknown): unknown {
  const budget = (value as { budget?: { amount?: unknown } } | null)?.budget
  if (typeof budget?.amount !== 'number') return value
  return { ...(value as object), budget: { ...budget, amount: String(budget.amount) } }
}

/** The settings of an agent as YAML that `apply` reads. Long lines are not folded, so that a diff shows what changed. */
export async function writeDocument(agent: Agent, { withId = false } = {}): Promise<string> {
  const { stringify } = await import('yaml')
  const settings = SETTING_NAMES.map((name) => [name, agent[name]])
  return stringify({ ...(withId && { id: agent.id }), ...Object.fromEntries(settings) }, { lineWidth: 0 })
}
