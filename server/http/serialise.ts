import compile from 'fast-json-stringify'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'

type JsonSchema = Record<string, unknown>

/**
 * Compiles the endpoint's output schema to a function that writes exactly its fields: what a query happens to select
 * beyond them never leaves the server.
 */
export function serialiser(endpoint: Endpoint, check: boolean): (value: unknown) => string {
  const schema = z.toJSONSchema(endpoint.output, { unrepresentable: 'any', io: 'output' })
  const write = compile(simplify(schema as JsonSchema) as never)
  const checked = (value: unknown) => write(check ? endpoint.output.parse(value) : value)
  return endpoint.envelope ? (value) => `{"success":true,"data":${checked(value)}}` : checked
}

/** Rules of input and meaning, which cost at run time and say nothing of how to write a value. */
const RULES = new Set([
  'pattern',
  'format',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'propertyNames',
])

/**
 * The same schema in the form that is cheapest to write by. `anyOf [X, null]` would make the compiler validate at run
 * time to choose; `nullable` is the same, and free. A free-form object is left to JSON.stringify as a whole.
 */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify)
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf, ...rest } = schema as JsonSchema & { anyOf?: JsonSchema[] }
  if (rest.type === 'object' && !rest.properties) return {}
  const kept = Object.entries(rest).filter(([key]) => !RULES.has(key))
  const entries = Object.fromEntries(kept.map(([key, value]) => [key, simplifyUnder(key, value)]))
  const other = anyOf?.find((option) => option.type !== 'null')
  if (anyOf?.length === 2 && other && anyOf.some((option) => option.type === 'null')) {
    return { ...entries, ...(simplify(other) as JsonSchema), nullable: true }
  }
  return anyOf ? { ...entries, anyOf: simplify(anyOf) } : entries
}

/** The names under `properties` are fields, which may be called like a rule. */
function simplifyUnder(key: string, value: unknown): unknown {
  if (key !== 'properties') return simplify(value)
  const fields = Object.entries(value as JsonSchema)
  return Object.fromEntries(fields.map(([name, field]) => [name, simplify(field)]))
}
