import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { guardrailConfigs } from '../../../../contract/agents/guardrails.ts'
import { Failure, unreadable } from '../../../failure.ts'
import { KINDS, type Kind, SCHEMAS, SECTIONS, type Section } from './kinds.ts'

export interface Document {
  kind: Kind
  id: string | null
  name: string
  /** With names instead of ids. */
  fields: Record<string, unknown>
}

/** `-` reads stdin. Returns documents in the order to apply them. */
export async function readDocuments(file: string): Promise<Document[]> {
  const parts = (await parseAll(await readText(file), file)).flatMap((value) => partsOf(value, file))
  if (parts.length === 0) throw new Failure('usage', `${file} contains no agent`)
  const counts = new Map<Kind, number>()
  const documents = parts.map(({ kind, value }) => {
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    return parseDocument(kind, value, parts.length === 1 ? file : `${file}, ${kind} ${number}`)
  })
  return documents.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

const readText = (file: string) =>
  file === '-'
    ? text(process.stdin)
    : readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new Failure('usage', unreadable(file, error))
      })

/** JSON is YAML too. The parser loads on first use. */
async function parseAll(source: string, file: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml')
  const parsed = parseAllDocuments(source)
  const values: unknown[] = []
  for (const document of 'empty' in parsed ? [] : parsed) {
    const [problem] = document.errors
    if (problem) throw new Failure('usage', `${file} is not valid YAML: ${problem.message.split('\n', 1)[0]}`)
    const value: unknown = document.toJS()
    if (value !== null) values.push(value)
  }
  return values
}

interface Part {
  kind: Kind
  value: unknown
}

/** A document has sections, or is one agent or a list. */
function partsOf(value: unknown, file: string): Part[] {
  if (Array.isArray(value)) return value.map((each) => ({ kind: 'agent', value: each }))
  if (!isSectioned(value)) return [{ kind: 'agent', value }]
  return Object.entries(value).flatMap(([section, list]) => {
    if (!Object.hasOwn(SECTIONS, section))
      throw new Failure(
        'usage',
        `${file}: unknown section ${section}. Use ${Object.keys(SECTIONS).join(', ')}`,
      )
    if (!Array.isArray(list)) throw new Failure('usage', `${file}: ${section} must be a list`)
    return list.map((each) => ({ kind: SECTIONS[section as Section], value: each }))
  })
}

/** `skills` and `guardrails` are also settings on an agent, which has a name. */
const isSectioned = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !('name' in value) &&
  Object.keys(value).some((key) => Object.hasOwn(SECTIONS, key))

function parseDocument(kind: Kind, value: unknown, where: string): Document {
  const parsed = SCHEMAS[kind].safeParse(withTextAmount(value))
  if (!parsed.success) throw new Failure('usage', `${where}: ${problemOf(parsed.error.issues[0]!, kind)}`)
  const { id = null, name, ...fields } = parsed.data
  return { kind, id, name, fields: kind === 'guardrail' ? withConfig(fields, where) : fields }
}

/** Guardrail settings depend on the kind, and have defaults. */
function withConfig(fields: Record<string, unknown>, where: string): Record<string, unknown> {
  const { kind, config } = fields
  if (config === undefined) return fields
  if (kind === undefined) throw new Failure('usage', `${where}: kind is required with config`)
  const parsed = guardrailConfigs[kind as keyof typeof guardrailConfigs].safeParse(config)
  if (parsed.success) return { ...fields, config: parsed.data }
  const [issue] = parsed.error.issues
  throw new Failure('usage', `${where}: config.${problemOf(issue!, 'guardrail')}`)
}

interface Issue {
  path: PropertyKey[]
  message: string
  code: string
  keys?: string[]
}

function problemOf({ path, message, code, keys = [] }: Issue, kind: Kind): string {
  const fieldNoun = kind === 'agent' ? 'setting' : `${kind} field`
  const problem =
    code === 'unrecognized_keys'
      ? `${[...path, keys[0]].join('.')} is not a ${fieldNoun}`
      : `${path.join('.')} ${message}`
  return problem.trim()
}

/** YAML reads `amount: 2.50` as a number. */
function withTextAmount(value: unknown): unknown {
  const budget = (value as { budget?: { amount?: unknown } } | null)?.budget
  if (typeof budget?.amount !== 'number') return value
  return { ...(value as object), budget: { ...budget, amount: String(budget.amount) } }
}
