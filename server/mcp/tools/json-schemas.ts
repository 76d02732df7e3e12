import { z } from 'zod'

export type JsonSchema = { type: 'object'; properties?: Record<string, object>; required?: string[] }

/** Tools that also work without a project. A client has no project of its own, so the others need one. */
const PROJECT_IS_OPTIONAL = [
  'search',
  'read_file',
  'list_sessions',
  'search_memory',
  'save_memory',
  'start_run',
]

/** The input as a client sees it. */
export function inputSchemaOf(name: string, input: z.ZodType): JsonSchema {
  const schema = jsonSchemaOf(input, 'input')
  const { project, ...properties } = schema.properties ?? {}
  if (!project) return schema
  const isOptional = PROJECT_IS_OPTIONAL.includes(name)
  const required = [...(isOptional ? [] : ['project']), ...(schema.required ?? [])]
  return {
    ...schema,
    properties: { project: { ...project, description: 'Id, slug or exact name' }, ...properties },
    ...(required.length > 0 && { required }),
  }
}

export const outputSchemaOf = (output: z.ZodType): JsonSchema => jsonSchemaOf(output, 'output')

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io })
  return compact(rest) as JsonSchema
}

/** Bounds that the server checks and that no model needs in order to write a good input. */
const OMITTED_KEYWORDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern']

/** The same schema in fewer tokens, because it is part of every conversation of a client. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([key, value]) => typeof value === 'object' || !(OMITTED_KEYWORDS.includes(key) || isUnbounded(value)),
  )
  const small = Object.fromEntries(entries.map(([key, value]) => [key, compact(value)]))
  const { anyOf, ...rest } = small
  return isNullable(anyOf) ? { ...anyOf[0], type: [anyOf[0].type, 'null'], ...rest } : small
}

const isUnbounded = (value: unknown) => value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER

const isNullable = (anyOf: unknown): anyOf is [{ type: string }, { type: 'null' }] =>
  Array.isArray(anyOf) &&
  anyOf.length === 2 &&
  typeof anyOf[0]?.type === 'string' &&
  anyOf[0].enum === undefined &&
  anyOf[1]?.type === 'null'
