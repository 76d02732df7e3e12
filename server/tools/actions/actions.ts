import { z } from 'zod'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { type EndpointName, endpointsByName } from '../../../contract/index.ts'
import type { EndpointInput } from '../tool.ts'
import { BEYOND_TRANSACTIONS, COVERED, COVERED_IN_RUNS, NEEDED_SETTINGS, NOT_FOR_RUNS } from './reachable.ts'

export interface Action {
  name: EndpointName
  endpoint: Endpoint
  effect: 'read' | 'transaction' | 'idempotent'
}

export type Actions = ReadonlyMap<string, Action>

/** All endpoints marked as tools, except those a separate tool covers. */
export const actionsExcept = (covered: ReadonlySet<EndpointName>): Actions =>
  new Map(
    (Object.entries(endpointsByName) as [EndpointName, Endpoint][])
      .filter(([name, { tool }]) => tool !== undefined && !covered.has(name))
      .map(([name, endpoint]) => [name, { name, endpoint, effect: effectOf(name, endpoint) }]),
  )

function effectOf(name: EndpointName, { tool }: Endpoint): Action['effect'] {
  if (tool === 'read') return 'read'
  return BEYOND_TRANSACTIONS.has(name) ? 'idempotent' : 'transaction'
}

const ACTIONS_OF_RUNS = actionsExcept(
  new Set([...Object.values(COVERED).flat(), ...Object.values(COVERED_IN_RUNS).flat(), ...NOT_FOR_RUNS]),
)

export const actionsFor = (settings: Readonly<Record<'blocks' | 'files' | 'phone', boolean>>): Actions =>
  new Map(
    [...ACTIONS_OF_RUNS].filter(([name]) => {
      const needed = NEEDED_SETTINGS.filter(([prefix]) => name.startsWith(prefix)).flatMap(([, list]) => list)
      return needed.every((setting) => settings[setting])
    }),
  )

type Shape = Record<string, unknown>

/** Merges the request's parts: field names are unique within an endpoint. */
export function mergeInputSchema({ params, query, body }: Endpoint): Shape {
  const parts = [params, query, body].map((schema) => (schema ? jsonSchemaOf(schema) : {}))
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

interface ObjectSchema {
  properties?: Shape
  required?: string[]
}

const convertedSchemas = new WeakMap<z.ZodType, ObjectSchema>()

/** Converted once: contract schemas never change. */
function jsonSchemaOf(schema: z.ZodType): ObjectSchema {
  const existing = convertedSchemas.get(schema)
  if (existing) return existing
  const json = z.toJSONSchema(unwrap(schema), { io: 'input', unrepresentable: 'any' }) as ObjectSchema
  convertedSchemas.set(schema, json)
  return json
}

const unwrap = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema

/** Undeclared fields go into the part with a parser that rejects them by name. */
export function splitInput({ params, query, body, method }: Endpoint, input: Shape): EndpointInput {
  const fieldsOf = (schema: z.ZodType | undefined) =>
    new Set(schema ? Object.keys(jsonSchemaOf(schema).properties ?? {}) : [])
  const [inParams, inQuery, inBody] = [fieldsOf(params), fieldsOf(query), fieldsOf(body)]
  const parts: { params: Shape; query: Shape; body: Shape } = { params: {}, query: {}, body: {} }
  for (const [name, value] of Object.entries(input)) {
    const part = inParams.has(name)
      ? 'params'
      : inQuery.has(name) && !inBody.has(name)
        ? 'query'
        : body && method !== 'GET'
          ? 'body'
          : 'query'
    parts[part][name] = value
  }
  return { params: parts.params, query: parts.query, ...(body && method !== 'GET' && { body: parts.body }) }
}
