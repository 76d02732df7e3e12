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

/** `anyOf [X, null]` makes the compiler validate at run time to choose; `nullable` is the same, and free. */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify)
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf, pattern: _, ...rest } = schema as JsonSchema & { anyOf?: JsonSchema[] }
  const entries = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, simplify(value)]))
  const other = anyOf?.find((option) => option.type !== 'null')
  if (anyOf?.length === 2 && other && anyOf.some((option) => option.type === 'null')) {
    return { ...entries, ...(simplify(other) as JsonSchema), nullable: true }
  }
  return anyOf ? { ...entries, anyOf: simplify(anyOf) } : entries
}
