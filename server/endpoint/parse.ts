import { z } from 'zod'
import { dictionary } from '../../contract/dictionary.ts'
import type { Endpoint, Form } from '../../contract/endpoint.ts'
import { ApiError, badField, badRequest, notFound, raise } from '../errors.ts'
import type { Call, FormPart } from './call.ts'
import { hasMoreValues } from './count-values.ts'
import { parseIfMatch } from './etag.ts'

export type Input = Record<string, unknown>

const NO_FIELDS = z.object({})

export function compileParser(endpoint: Endpoint): (call: Call) => Input {
  const { params, raw, multipart, multipartFile = 'file' } = endpoint
  const query = toStrict(endpoint.query ?? NO_FIELDS)
  const takesBody = endpoint.method !== 'GET' && !raw
  const body = takesBody ? toStrict(endpoint.body ?? NO_FIELDS) : undefined
  // RFC 6749 requires the server to ignore unknown form parameters.
  const lenientBody = endpoint.form ? endpoint.body : undefined
  const form = multipart && toStrict(multipart)
  const requiresVersion = endpoint.versioned && endpoint.method !== 'GET'

  return (call) => {
    const problems = createProblems()
    const input: Input = {}
    // Most single-record reads: no field is declared and none is sent.
    if (endpoint.query || hasFields(call.query))
      Object.assign(input, problems.parse(query, 'query', call.query))
    if (takesBody && call.form) {
      input.form = createForm(call.form, form ?? raise(unsupportedForm()), multipartFile)
    } else if (body) {
      const schema = (call.ignoreUnknownFields && lenientBody) || body
      problems.merge(input, problems.parse(schema, 'body', bodyOf(call, schema)))
    }
    if (params) {
      // An impossible id gets the same response as a nonexistent one.
      const parsed = params.safeParse(call.params)
      if (!parsed.success) throw unknownId(endpoint, parsed.error.issues[0]?.path[0])
      Object.assign(input, parsed.data)
    }
    problems.throwIfAny()
    if (requiresVersion) input.ifMatch = parseIfMatch(call.ifMatch)
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

/** Segments with an irregular record noun. */
const NOUNS: Record<string, string | undefined> = dictionary({
  'api-keys': 'API key',
  'browser-calls': 'Call',
  'mcp-servers': 'MCP server',
  custom: 'Connector',
  history: 'Change',
  identities: 'Linked account',
  invite: 'Invitation',
  invites: 'Invitation',
  jobs: 'Dead job',
  numbers: 'Phone number',
  oauth: 'Provider',
  receive: 'Webhook',
  sms: 'Text message',
})

/** Returns "Block" for `blockId` in `/projects/:projectId/blocks/:blockId`. */
function resourceNoun({ path }: Endpoint, param: PropertyKey | undefined): string {
  const segments = path.split('/')
  const before = segments.slice(0, segments.indexOf(`:${String(param)}`))
  const segment = before.findLast((name) => !name.startsWith(':')) ?? ''
  return NOUNS[segment] ?? capitalize(singular(segment).replaceAll('-', ' '))
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '')
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const unsupportedForm = () => new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')

/** A missing body counts as `{}`, so missing fields are named and a body without fields is optional. */
const bodyOf = ({ body }: Call, schema: z.ZodType) =>
  body === undefined && schema instanceof z.ZodObject ? {} : body

const strictSchemas = new WeakMap<z.ZodType, z.ZodType>()

/** Refuses unknown fields by name, so a typo is never ignored. Builds each schema once. */
function toStrict(schema: z.ZodType): z.ZodType {
  const built = strictSchemas.get(schema) ?? buildStrict(schema)
  strictSchemas.set(schema, built)
  return built
}

function buildStrict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return toStrict(schema.unwrap() as z.ZodType).optional()
  return schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema
}

/** Accepts any number of fields and exactly one file. */
const createForm = (parts: AsyncIterable<FormPart>, schema: z.ZodType, fileField: string): Form<unknown> => ({
  async read(storeFile) {
    const fields: Record<string, unknown> = {}
    let stored: { file: Awaited<ReturnType<typeof storeFile>> } | undefined
    for await (const part of parts) {
      if (Object.hasOwn(fields, part.name) || (stored && part.name === fileField)) {
        throw badField(`body.${part.name}`, 'must not be sent twice')
      }
      checkPart(part, fileField)
      if (part.kind === 'file') stored = { file: await storeFile(part.file) }
      else fields[part.name] = part.value
    }
    if (!stored) throw badField(`body.${fileField}`, 'is required')
    const problems = createProblems()
    const parsed = problems.parse(schema, 'body', fields)
    problems.throwIfAny()
    return { fields: parsed, file: stored.file }
  },
})

function checkPart(part: FormPart, fileField: string): void {
  if (part.kind === 'file' && part.name !== fileField)
    throw badField(`body.${part.name}`, 'is not a known field')
  // Browsers send a file with an empty name if the user selected none.
  const isFile = part.kind === 'file' && part.file.name !== ''
  if (part.name === fileField && !isFile) throw badField(`body.${fileField}`, 'must be a file with a name')
}

/** For a part of a body that is parsed by itself. */
export function parseAt<S extends z.ZodType>(schema: S, path: PropertyKey[], value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: explain })
  if (parsed.success) return parsed.data
  const [problem] = problemsOf(parsed.error.issues[0]!, path)
  throw badField(problem!.path, problem!.message)
}

type Part = 'query' | 'body'

interface Problem {
  path: string
  message: string
}

/** Reports on tens of thousands of invalid values would take seconds and gigabytes. */
const EXPLAINED_VALUES_MAX = 5000
const PROBLEMS_MAX = 100

/** One error names all invalid fields, or the first of a large body. */
function createProblems() {
  const problems: Problem[] = []
  return {
    parse(schema: z.ZodType, part: Part, value: unknown): unknown {
      const abortEarly = hasMoreValues(value, EXPLAINED_VALUES_MAX)
      // Missing from the public type.
      const parsed = schema.safeParse(value, { error: explain, abortEarly } as { error: typeof explain })
      if (parsed.success) return parsed.data
      for (const issue of parsed.error.issues.slice(0, PROBLEMS_MAX))
        problems.push(...problemsOf(issue, [part]))
      problems.splice(PROBLEMS_MAX)
      return undefined
    },
    /** A field also in the query must have the same value. */
    merge(input: Record<string, unknown>, body: unknown): void {
      for (const [name, value] of Object.entries(body ?? {})) {
        if (input[name] !== undefined && value !== undefined && input[name] !== value)
          problems.push({ path: `query.${name}`, message: `must be the same as body.${name}` })
        if (value !== undefined || !(name in input)) input[name] = value
      }
    },
    throwIfAny(): void {
      const [first] = problems
      if (first) throw new ApiError('BAD_REQUEST', `${first.path} ${first.message}`, { details: problems })
    },
  }
}

function problemsOf(issue: z.core.$ZodIssue, at: PropertyKey[]): Problem[] {
  const path = [...at, ...issue.path].map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys
    .slice(0, PROBLEMS_MAX)
    .map((key) => ({ path: `${path}.${key}`, message: 'is not a known field' }))
}

/** For issues without a message in the contract. */
const explain: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_type')
    return `must be ${withArticle(issue.expected === 'record' ? 'object' : issue.expected)}`
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? 'has an invalid format'
  if (issue.code === 'invalid_value') return expectedValues(issue.values.map(String))
  if (issue.code === 'invalid_union' && Array.isArray(issue.options))
    return `must be one of ${issue.options.join(', ')}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`
  return undefined
}

function expectedValues(values: string[]): string {
  if (values.length <= 2) return `must be ${values.join(' or ')}`
  return `must be one of ${values.join(', ')}`
}

const FORMATS: Record<string, string | undefined> = dictionary({
  date: 'must be a date, such as 2026-01-31',
  datetime: 'must be an ISO 8601 time, such as 2026-01-31T09:30:00Z',
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
})
const UNITS: Record<string, string | undefined> = dictionary({ string: ' characters', array: ' items' })

const withArticle = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
