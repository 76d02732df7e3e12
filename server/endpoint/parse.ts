import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError, badField, badRequest, notFound, raise } from '../errors.ts'
import type { Call } from './call.ts'
import { versionOf } from './etag.ts'
import { createForm } from './form.ts'
import { createProblems } from './problems.ts'
import { resourceNoun } from './resource-noun.ts'

export type Input = Record<string, unknown>

const NO_FIELDS = z.object({})

/** Compiles the function that parses a call into the one object that the handler receives. */
export function compileParser(endpoint: Endpoint): (call: Call) => Input {
  const { params, raw, multipart } = endpoint
  const query = toStrict(endpoint.query ?? NO_FIELDS)
  const takesBody = endpoint.method !== 'GET' && !raw
  const body = takesBody ? toStrict(endpoint.body ?? NO_FIELDS) : undefined
  // RFC 6749 requires that the server ignores unknown parameters of a form.
  const lenientBody = endpoint.form ? endpoint.body : undefined
  const form = multipart && toStrict(multipart)
  const requiresVersion = endpoint.versioned && endpoint.method !== 'GET'

  return (call) => {
    const problems = createProblems()
    const input: Input = {}
    // Most reads of one record: no field is declared and none is sent.
    if (endpoint.query || hasFields(call.query))
      Object.assign(input, problems.parse(query, 'query', call.query))
    if (takesBody && call.form) {
      input.form = createForm(call.form, form ?? raise(unsupportedForm()))
    } else if (body) {
      const schema = (call.ignoreUnknownFields && lenientBody) || body
      problems.merge(input, problems.parse(schema, 'body', bodyOf(call, schema)))
    }
    if (params) {
      // An id that cannot exist gets the same response as one that does not exist.
      const parsed = params.safeParse(call.params)
      if (!parsed.success) throw unknownId(endpoint, parsed.error.issues[0]?.path[0])
      Object.assign(input, parsed.data)
    }
    problems.throwIfAny()
    if (requiresVersion) input.ifMatch = versionOf(call.ifMatch)
    if (raw) Object.assign(input, call.raw ?? raise(badRequest('This endpoint requires a binary body')))
    if (endpoint.bytes) input.byteRequest = call.byteRequest ?? { headOnly: false }
    return input
  }
}

function hasFields(values: object): boolean {
  for (const _ in values) return true
  return false
}

const unknownId = (endpoint: Endpoint, name: PropertyKey | undefined) =>
  endpoint.malformedId
    ? badField(`params.${String(name)}`, 'must be a UUID')
    : notFound(resourceNoun(endpoint, name))

const unsupportedForm = () => new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')

/** A missing body counts as an empty object: missing fields are then named, and a body without fields is optional. */
const bodyOf = ({ body }: Call, schema: z.ZodType) =>
  body === undefined && schema instanceof z.ZodObject ? {} : body

const strictSchemas = new WeakMap<z.ZodType, z.ZodType>()

/** Refuses unknown fields by name, so that a misspelled field is never ignored. Each schema is built once. */
function toStrict(schema: z.ZodType): z.ZodType {
  const built = strictSchemas.get(schema) ?? buildStrict(schema)
  strictSchemas.set(schema, built)
  return built
}

function buildStrict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return toStrict(schema.unwrap() as z.ZodType).optional()
  return schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema
}
