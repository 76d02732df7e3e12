import { findSchemaProblem, type OutputSchema } from '../../../../contract/agents/output-rules.ts'
import { t } from '../../../../contract/text.ts'
import { localizeRule } from '../../../api/server-rules.ts'

/** What the form can show of a schema. */
export interface ResultField {
  name: string
  type: FieldType
  isList: boolean
  isRequired: boolean
  description: string
  /** Of a choice, separated by commas. */
  choices: string
  /** Of a group. */
  fields: ResultField[]
}

export const FIELD_TYPES = ['text', 'number', 'integer', 'boolean', 'date', 'choice', 'group'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export const TYPE_LABELS: Record<FieldType, string> = {
  text: t`Text`,
  number: t`Decimal number`,
  integer: t`Whole number`,
  boolean: t`Yes or no`,
  date: t`Date`,
  choice: t`Choice`,
  group: t`Group of fields`,
}

export const NEW_FIELD: ResultField = {
  name: '',
  type: 'text',
  isList: false,
  isRequired: true,
  description: '',
  choices: '',
  fields: [],
}

/** To start from, and as the editor's example. */
export const EXAMPLE_SCHEMA: OutputSchema = {
  type: 'object',
  properties: {
    summary: { type: 'string', description: 'Two sentences' },
    sentiment: { type: 'string', enum: ['positive', 'neutral', 'negative'] },
    actions: {
      type: 'array',
      description: 'What to do next; empty if nothing',
      items: {
        type: 'object',
        properties: { task: { type: 'string' }, due: { type: 'string', format: 'date' } },
        required: ['task'],
      },
    },
  },
  required: ['summary', 'sentiment', 'actions'],
}

export const toSchema = (fields: readonly ResultField[]): OutputSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name.trim(), toNode(field)])),
  required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name.trim()),
})

function toNode(field: ResultField): OutputSchema {
  const description = field.description.trim()
  const words = description === '' ? {} : { description }
  const node = toSingle(field)
  return field.isList ? { type: 'array', ...words, items: node } : { ...node, ...words }
}

function toSingle({ type, choices, fields }: ResultField): OutputSchema {
  if (type === 'group') return toSchema(fields)
  if (type === 'choice') return { type: 'string', enum: toChoices(choices) }
  if (type === 'date') return { type: 'string', format: 'date' }
  return { type: type === 'text' ? 'string' : type }
}

export const toChoices = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((choice) => choice.trim())
      .filter(Boolean),
  ),
]

/** Null if the form can't show everything the schema says. */
export function toFields(schema: OutputSchema): ResultField[] | null {
  const { type, properties, required = [], additionalProperties = false, ...rest } = schema
  if (type !== 'object' || additionalProperties !== false || Object.keys(rest).length > 0) return null
  if (!isSchema(properties) || !Array.isArray(required)) return null
  const names = [...new Set([...(required as string[]), ...Object.keys(properties)])]
  const fields = names.map((name) => toField(name, properties[name], required.includes(name)))
  return fields.every((field) => field !== null) ? fields : null
}

function toField(name: string, node: unknown, isRequired: boolean): ResultField | null {
  if (!isSchema(node)) return null
  const { description = '', ...rest } = node
  if (typeof description !== 'string') return null
  if (rest.type !== 'array') {
    const single = toType(rest)
    return single && { ...NEW_FIELD, ...single, name, isRequired, description }
  }
  const { type: _array, items, ...others } = rest
  const single = isSchema(items) && Object.keys(others).length === 0 ? toType(items) : null
  return single && { ...NEW_FIELD, ...single, name, isRequired, description, isList: true }
}

const SIMPLE: Record<string, FieldType> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
}

function toType(node: OutputSchema): Pick<ResultField, 'type' | 'choices' | 'fields'> | null {
  const { type, enum: values, format, ...rest } = node
  const none = { choices: '', fields: [] }
  if (type === 'object') {
    const fields = toFields(node)
    return fields && { ...none, type: 'group', fields }
  }
  if (Object.keys(rest).length > 0) return null
  if (Array.isArray(values)) {
    const isPlain =
      format === undefined && values.every((value) => typeof value === 'string' && !/,/.test(value))
    return isPlain ? { ...none, type: 'choice', choices: values.join(', ') } : null
  }
  if (format !== undefined) return type === 'string' && format === 'date' ? { ...none, type: 'date' } : null
  const simple = SIMPLE[String(type)]
  return simple ? { ...none, type: simple } : null
}

const isSchema = (value: unknown): value is OutputSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type ReadSchema = { schema: OutputSchema; problem: null } | { schema: OutputSchema | null; problem: string }

/** Of the JSON that is typed. The server also checks patterns. */
export function readSchema(text: string): ReadSchema {
  let schema: OutputSchema
  try {
    schema = JSON.parse(text)
  } catch (error) {
    return { schema: null, problem: t`Not valid JSON: ${(error as Error).message}` }
  }
  const problem = findSchemaProblem(schema)
  if (!problem) return { schema, problem: null }
  const rule = localizeRule(problem.rule) ?? problem.rule
  return { schema, problem: problem.path.length > 0 ? `${problem.path.join('.')}: ${rule}` : rule }
}

/** What an answer may look like. For a schema without problems. */
export function exampleOf(schema: OutputSchema): Record<string, unknown> {
  const defs = isSchema(schema.$defs) ? schema.$defs : {}
  const exampleValue = (node: unknown): unknown => {
    if (!isSchema(node)) return null
    if (typeof node.$ref === 'string') return exampleValue(defs[node.$ref.slice('#/$defs/'.length)])
    if (Array.isArray(node.anyOf)) return exampleValue(node.anyOf[0])
    if (node.const !== undefined) return node.const
    if (Array.isArray(node.enum)) return node.enum[0]
    const type = Array.isArray(node.type) ? node.type.find((each) => each !== 'null') : node.type
    if (type === 'object') return recordOf(node)
    if (type === 'array') return [exampleValue(node.items), exampleValue(node.items)]
    if (type === 'boolean') return true
    if (type === 'integer') return 3
    if (type === 'number') return 0.5
    return EXAMPLES[String(node.format)] ?? t`Text`
  }
  const recordOf = ({ properties = {} }: OutputSchema) =>
    Object.fromEntries(Object.entries(properties as object).map(([name, node]) => [name, exampleValue(node)]))
  return recordOf(schema)
}

const EXAMPLES: Record<string, string> = {
  date: '2026-11-19',
  time: '09:30:00Z',
  'date-time': '2026-11-19T09:30:00Z',
  duration: 'PT30M',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111',
}
