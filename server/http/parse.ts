import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError, notFound } from '../errors.ts'
import { ifMatchOf } from './version.ts'

type Part = 'query' | 'body'
type Problem = { path: string; message: string }

/** Reads parameters, query and body into the one object that the endpoint's function takes. */
export function inputParser(endpoint: Endpoint): (request: FastifyRequest) => Record<string, unknown> {
  const params = endpoint.params
  const query = strict(endpoint.query ?? z.object({}))
  const body = endpoint.method === 'GET' ? undefined : strict(endpoint.body ?? z.object({}).optional())
  const form = endpoint.form ? endpoint.body : undefined
  const wantsVersion = endpoint.versioned && endpoint.method !== 'GET'

  return (request) => {
    const problems: Problem[] = []
    const input: Record<string, unknown> = {}
    Object.assign(input, read(query, 'query', request.query, problems))
    // OAuth clients send forms, and may add what their library adds: RFC 6749 asks to ignore what is unknown.
    const expected = form && isForm(request) ? form : body
    if (expected) Object.assign(input, read(expected, 'body', bodyOf(request, expected), problems))
    if (params) {
      // An id that cannot exist is answered like one that does not.
      const parsed = params.safeParse(request.params)
      if (!parsed.success) throw notFound('This')
      Object.assign(input, parsed.data)
    }
    const [first] = problems
    if (first) throw new ApiError('BAD_REQUEST', `${first.path} ${first.message}`, { details: problems })
    if (wantsVersion) input.ifMatch = ifMatchOf(request)
    return input
  }
}

function read(schema: z.ZodType, part: Part, given: unknown, problems: Problem[]): unknown {
  const parsed = schema.safeParse(given, { error: explain })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) problems.push(...problemsOf(issue, part))
  return undefined
}

/** No body is one without fields, so that what is missing is named, and an endpoint that needs nothing takes nothing. */
const bodyOf = (request: FastifyRequest, schema: z.ZodType) =>
  request.body === undefined && schema instanceof z.ZodObject ? {} : request.body

const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false

/** Unknown fields are refused by name, so that a typing error never passes in silence. */
const strict = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema

function problemsOf(issue: z.core.$ZodIssue, part: Part): Problem[] {
  const at = [part, ...issue.path].join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path: at, message: issue.message }]
  return issue.keys.map((key) => ({ path: `${at}.${key}`, message: 'is not a known field' }))
}

/** Words for what the contract gives no words of its own for. */
const explain: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'must be a UUID'
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  return undefined
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
