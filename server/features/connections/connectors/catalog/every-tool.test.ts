import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ConnectorDefinition, ConnectorTool } from '../definition/definition.ts'
import { MissingValueError, type RequestTemplate } from '../definition/template.ts'
import {
  type BuiltRequest,
  buildRequest,
  type ConnectionTarget,
  matchesHost,
  UnsafePathError,
} from '../requests/build-request.ts'
import { createRedactor } from '../requests/redact.ts'
import { builtIn } from './catalog.ts'

const SECRET = 'S3cr3t-of-the-connection'
const keptValue = (name: string) => (name === 'instanceUrl' ? 'https://acme.my.salesforce.com' : 'kept')
/** Any name has a value. */
const kept: Record<string, string> = new Proxy(
  {},
  {
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    get: (_, name) => keptValue(String(name)),
  },
)

/** A connection whose fields have values that their patterns and placeholders allow, with a secret that is easy to find. */
function targetOf(definition: ConnectorDefinition): ConnectionTarget {
  const { auth, config = [] } = definition
  const fields = auth.type === 'api_key' ? auth.fields : []
  const values = (list: typeof fields, secret: string) =>
    Object.fromEntries(list.map((field) => [field.key, field.secret ? secret : plainValue(field)]))
  return {
    definition,
    config: values(config, SECRET),
    kept,
    credentials: { accessToken: `${SECRET}-token`, ...values(fields, SECRET) },
    account: { id: 'account-1' },
    override: null,
  }
}

function plainValue({
  pattern,
  placeholder,
  default: defaultValue,
  key,
}: {
  pattern?: string
  placeholder?: string
  default?: string
  key: string
}): string {
  const candidates = [
    defaultValue,
    placeholder,
    'acme',
    'acme.example.com',
    'https://acme.example.com',
    '12345678',
    '0'.repeat(32),
    `AC${'0'.repeat(32)}`,
  ]
  const fits = (value: string | undefined) =>
    value && (!pattern || new RegExp(`^(?:${pattern})$`).test(value))
  return candidates.find(fits) ?? expect.fail(`no value fits the pattern of ${key}: ${pattern}`)
}

/** Texts that would leave their part of a request if they were not encoded. */
const HOSTILE = [
  'a',
  'x/../../y',
  '..',
  'https://evil.example.com/',
  '@evil.example.com',
  '?q=1#f',
  '{credentials.accessToken}',
  'a\r\nx: y',
  '"},{"',
  '\u{1f600}',
]

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  format?: string
  pattern?: string
}

/** Inputs from the schema that models receive; those that the schema of zod refuses are left out. */
function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const { enum: values, anyOf, oneOf, properties, required = [], items, minimum = 0, maximum = 100 } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (values) return fc.constantFrom(...values)
  const choices = anyOf ?? oneOf
  if (choices) return fc.oneof(...choices.map(arbitraryOf))
  const type = [schema.type].flat()[0]
  if (type === 'integer') return fc.integer({ min: Math.max(minimum, -1e6), max: Math.min(maximum, 1e6) })
  if (type === 'number')
    return fc.double({ min: Math.max(minimum, 0.01), max: Math.min(maximum, 1e6), noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(arbitraryOf(items ?? {}), { minLength: 1, maxLength: 2 })
  if (type === 'object' || properties) {
    const shape = Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, each]) => [
        name,
        /^(to|cc|bcc)$/.test(name) && each.items ? fc.constant(['ada@example.com']) : arbitraryOf(each),
      ]),
    )
    return fc.record(shape, { requiredKeys: required })
  }
  return textOf(schema)
}

function textOf({ format, pattern, minLength = 0 }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.constant('ada@example.com')
  if (format === 'uri') return fc.constant('https://www.example.com/page')
  if (format === 'date') return fc.constant('2026-11-16')
  if (format === 'date-time') return fc.constant('2026-11-16T12:00:00Z')
  if (format === 'uuid') return fc.uuid()
  if (pattern) return fc.oneof(matching(pattern), fc.constantFrom(...HOSTILE, ...ORDINARY))
  return fc.constantFrom(...HOSTILE, ...ORDINARY).map((text) => text.padEnd(minLength, 'x'))
}

/** Valid values of inputs with rules of their own. */
const ORDINARY = [
  'ada@example.com',
  '2026-11-16',
  '2026-11-16T12:00:00Z',
  '2026-11-16T12:00:00+01:00',
  'Europe/Berlin',
  'text/plain',
  'SELECT Id FROM Account',
]

function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    // The library does not support every construct.
    return fc.constantFrom(...ORDINARY)
  }
}

const templateOf = ({ request }: ConnectorTool, input: unknown): RequestTemplate =>
  typeof request === 'function' ? request(input as never) : request

/** The hosts that a definition declares, for this connection. */
function hostsOf({ definition, config }: ConnectionTarget): string[] {
  const { baseUrl, hosts = [] } = definition
  const template = typeof baseUrl === 'function' ? baseUrl(config) : baseUrl
  const filled = template.replace(/\{(\w+)\.(\w+)\}/g, (_, group: string, name: string) =>
    group === 'config' ? config[name]! : group === 'kept' ? keptValue(name) : SECRET,
  )
  return [new URL(filled).host, ...hosts]
}

const sendsOf = ({ auth }: ConnectorDefinition) =>
  auth.type === 'none'
    ? []
    : auth.type === 'oauth'
      ? [auth.send ?? { header: 'authorization', value: '' }]
      : [auth.send].flat()

/** The request without the additions of `send`. */
function withoutAuth({ definition }: ConnectionTarget, request: BuiltRequest): string {
  const url = new URL(request.url)
  const headers = { ...request.headers }
  for (const send of sendsOf(definition)) {
    if (send === 'path') url.pathname = '/'
    else if ('header' in send) delete headers[send.header]
    else if ('basic' in send) delete headers.authorization
    else if ('query' in send) url.searchParams.delete(send.query)
  }
  return JSON.stringify([
    url.href,
    headers,
    request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : request.body,
  ])
}

describe.each(builtIn.map((definition) => [definition.slug, definition] as const))(
  '%s',
  (_slug, definition) => {
    const target = targetOf(definition)
    const { text } = createRedactor(target)

    test.each(definition.tools.map((tool) => [tool.name, tool] as const))(
      '%s is sent complete to a declared host, with the token only in its declared position',
      (_name, tool) => {
        const inputs = arbitraryOf(z.toJSONSchema(tool.input, { io: 'input' }) as Schema)
        let built = 0
        const run = (raw: unknown) => {
          const parsed = tool.input.safeParse(raw)
          if (!parsed.success) return
          let request: BuiltRequest
          try {
            request = buildRequest(target, templateOf(tool, parsed.data), parsed.data as never, 'key')
          } catch (error) {
            // Values that no encoding makes safe, and combinations of optional values that the tool does not accept.
            if (error instanceof UnsafePathError || error instanceof MissingValueError) return
            if ((error as Error).message.endsWith('is not an email address')) return
            throw error
          }
          built++
          const url = new URL(request.url)
          expect(
            hostsOf(target).some((host) => matchesHost(url.host, host)),
            url.host,
          ).toBe(true)
          expect(url.protocol).toBe('https:')
          expect(request.headers.x).toBeUndefined()
          expect(Object.values(request.headers).join()).not.toMatch(/[\r\n]/)
          if (request.headers['content-type']?.includes('json') && typeof request.body === 'string')
            JSON.parse(request.body)
          const requestWithoutAuth = withoutAuth(target, request)
          expect(requestWithoutAuth).not.toContain(SECRET)
          expect(text(JSON.stringify(request))).not.toContain(SECRET)
        }
        fc.assert(fc.property(inputs, run), { numRuns: 40, seed: 11 })
        expect(built, 'generated inputs that the tool accepts').toBeGreaterThan(0)
      },
    )

    test('has names that models accept, descriptions, and a secret where it has credentials', () => {
      const names = definition.tools.map(({ name }) => `${definition.slug}_${name}`)
      expect(new Set(names).size).toBe(names.length)
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      for (const { description, effect, request, name } of definition.tools) {
        expect(description.length).toBeGreaterThan(10)
        if (typeof request === 'object')
          expect(
            request.path.replace(/\{[A-Za-z][\w.]*\}/g, ''),
            'a placeholder that is never filled',
          ).not.toMatch(/[{}]/)
        if (typeof request === 'object' && request.method === 'DELETE')
          expect([name, effect]).not.toEqual([name, 'read'])
      }
      for (const tool of definition.tools) expect(Object.keys(tool.input.shape)).not.toContain('account')
      if (definition.auth.type === 'api_key')
        expect(definition.auth.fields.some(({ secret }) => secret)).toBe(true)
    })
  },
)
