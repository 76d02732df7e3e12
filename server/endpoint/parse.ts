import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { BytesWanted, Endpoint, ReceivedFile } from '../../contract/endpoint.ts'
import type { Context, PublicContext } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import { bodyOf } from '../http/drain-body.ts'
import { type Receive, readForm } from '../http/forms.ts'
import { ifMatchOf } from './etag.ts'

type Part = 'query' | 'body'
type AnyContext = Context | PublicContext
type Input = Record<string, unknown> & { upload?: ReceivedFile }
type Problem = { path: string; message: string }

/** Reads parameters, query and body into the one object that the endpoint's function takes. */
export function inputParser(endpoint: Endpoint, receive: Receive) {
  const params = endpoint.params
  const query = strict(endpoint.query ?? z.object({}))
  const takesBody = endpoint.method !== 'GET' && !endpoint.raw
  const body = takesBody ? strict(endpoint.body ?? z.object({}).optional()) : undefined
  const multipart = endpoint.multipart && strict(endpoint.multipart)
  const form = endpoint.form ? endpoint.body : undefined
  const wantsVersion = endpoint.versioned && endpoint.method !== 'GET'

  return async (request: FastifyRequest, ctx: AnyContext): Promise<Input> => {
    const problems: Problem[] = []
    const input: Input = {}
    Object.assign(input, read(query, 'query', request.query, problems))
    // OAuth clients send forms, and may add what their library adds: RFC 6749 asks to ignore what is unknown.
    const expected = form && isOf(request, 'application/x-www-form-urlencoded') ? form : body
    if (takesBody && isOf(request, 'multipart/form-data')) {
      if (!multipart) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
      if (problems.length === 0) await readParts(request, ctx as Context, multipart, receive, input, problems)
    } else if (expected) Object.assign(input, read(expected, 'body', givenBody(request, expected), problems))
    if (params) {
      // An id that cannot exist is answered like one that does not.
      const parsed = params.safeParse(request.params)
      if (!parsed.success) throw notFound('This')
      Object.assign(input, parsed.data)
    }
    const [first] = problems
    if (first) throw new ApiError('BAD_REQUEST', `${first.path} ${first.message}`, { details: problems })
    if (wantsVersion) input.ifMatch = ifMatchOf(request)
    if (endpoint.raw) Object.assign(input, rawOf(request))
    if (endpoint.bytes) input.wanted = wantedOf(request)
    return input
  }
}

/** The file is stored by then; if the fields beside it are wrong, it is let go again. */
async function readParts(
  request: FastifyRequest,
  ctx: Context,
  schema: z.ZodType,
  receive: Receive,
  input: Input,
  problems: Problem[],
): Promise<void> {
  const { fields, upload } = await readForm(request, ctx, receive)
  Object.assign(input, read(schema, 'body', fields, problems))
  if (problems.length > 0) await receive.discard(ctx, upload)
  else input.upload = upload
}

const rawOf = (request: FastifyRequest) => ({
  content: bodyOf(request.raw),
  contentLength: lengthOf(request.headers['content-length']),
  headers: plainHeaders(request),
})

/** One text for each name; several of a name are joined as HTTP has it. */
const plainHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

const lengthOf = (given: string | undefined) => (given === undefined ? null : Number(given))

const wantedOf = ({ headers, method }: FastifyRequest): BytesWanted => ({
  headOnly: method === 'HEAD',
  range: headers.range,
  ifRange: headers['if-range']?.toString(),
  ifNoneMatch: headers['if-none-match'],
  lastEventId: headers['last-event-id']?.toString(),
})

function read(schema: z.ZodType, part: Part, given: unknown, problems: Problem[]): unknown {
  const parsed = schema.safeParse(given, { error: explain })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) problems.push(...problemsOf(issue, part))
  return undefined
}

/** No body is one without fields, so that what is missing is named, and an endpoint that needs nothing takes nothing. */
const givenBody = (request: FastifyRequest, schema: z.ZodType) =>
  request.body === undefined && schema instanceof z.ZodObject ? {} : request.body

const isOf = (request: FastifyRequest, type: string) =>
  request.headers['content-type']?.toLowerCase().startsWith(type) ?? false

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
