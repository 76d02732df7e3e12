import { z } from 'zod'
import { CONNECTOR_CATEGORY_NAMES } from '../../../../../contract/connections/connector-options.ts'
import type { ConnectorDefinition, ConnectorTool } from './definition.ts'
import { namesInRequest, namesInText, type TemplateName } from './template.ts'

const CALL_NAME_MAX = 64

/** A wrong definition stops the boot. */
export function checkDefinitions(definitions: readonly ConnectorDefinition[]): void {
  const seen = new Set<string>()
  for (const definition of definitions) {
    const [problem] = problemsOf(definition)
    if (problem) throw new Error(`The connector ${definition.slug} is not valid: ${problem}`)
    if (seen.has(definition.slug)) throw new Error(`Two connectors have the slug ${definition.slug}`)
    seen.add(definition.slug)
  }
}

/** Each problem begins with a field's path. */
function problemsOf(definition: ConnectorDefinition): string[] {
  const parsed = DefinitionSchema.safeParse(definition)
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  return [
    ...hostProblems(definition),
    ...nameProblems(definition),
    ...toolProblems(definition),
    ...eventProblems(definition),
  ]
}

/** Turn a host into another host, a path or user info. */
const HOSTILE_SUFFIXES = ['/x', '@evil.example', ':x', '?x', '#x', '\\x', ' x', '%2e', '\nx']

/** A value in a host must not be able to change the host. */
function hostProblems({ config = [], auth, baseUrl, hosts = [] }: ConnectorDefinition): string[] {
  const urls: [at: string, url: string | undefined][] = [
    ['baseUrl', textOf(baseUrl)],
    ...(auth.type === 'oauth'
      ? ([
          ['auth.authorizeUrl', auth.authorizeUrl],
          ['auth.tokenUrl', auth.tokenUrl],
          ['auth.refreshUrl', auth.refreshUrl],
          ['auth.revoke.url', textOf(auth.revoke?.url)],
        ] as [string, string | undefined][])
      : []),
  ]
  return urls.flatMap(([at, url = '']) => {
    const host = url.replace(/^https:\/\//, '').split('/')[0]!
    if (/^\{kept\.\w+\}$/.test(host) && hosts.length === 0)
      return [`${at} has a host that the provider returns: hosts must name those that are allowed`]
    return namesInText(host, at).flatMap(({ name }) => {
      const field = config.find(({ key }) => `config.${key}` === name)
      if (!name.startsWith('config.') || !field) return []
      if (field.pattern === undefined) return [`${at} contains ${name} in its host, which has no pattern`]
      const pattern = new RegExp(`^(?:${field.pattern})$`, 'u')
      const bases = ['a', 'example.com', field.default ?? 'a', field.placeholder ?? 'a']
      const accepted = bases
        .flatMap((base) => HOSTILE_SUFFIXES.map((part) => base + part))
        .find((value) => pattern.test(value))
      return accepted
        ? [`${at} contains ${name} in its host, whose pattern accepts ${JSON.stringify(accepted)}`]
        : []
    })
  })
}

/** Functions depend on a connection's values. */
const textOf = (template: unknown) => (typeof template === 'string' ? template : '')

function nameProblems(definition: ConnectorDefinition): string[] {
  const { auth, baseUrl, check, discover, tools, headers = {} } = definition
  const urls =
    auth.type === 'oauth'
      ? [auth.authorizeUrl, auth.tokenUrl, auth.refreshUrl ?? '', textOf(auth.revoke?.url)]
      : []
  const connectionNames: TemplateName[] = [
    ...namesInText(textOf(baseUrl), 'baseUrl'),
    ...urls.flatMap((url) => namesInText(url, 'auth')),
    ...Object.entries(headers).flatMap(([header, value]) => namesInText(value, `headers.${header}`)),
    ...(typeof check.request === 'function' ? [] : namesInRequest(check.request, 'check.request')),
    ...(discover ? namesInRequest(discover.request, 'discover.request') : []),
  ]
  const unknown = (names: TemplateName[], input: readonly string[]) =>
    names
      .filter(({ name }) => !isKnown(definition, name, input))
      .map(({ at, name }) => `${at} names ${name}, which is neither an input nor a connection value`)
  return [
    ...unknown(connectionNames, []),
    ...tools.flatMap(({ name, request, input }) =>
      typeof request === 'function'
        ? []
        : unknown(namesInRequest(request, `tools.${name}.request`), Object.keys(input.shape)),
    ),
  ]
}

function isKnown(
  { config = [], auth }: ConnectorDefinition,
  name: string,
  input: readonly string[],
): boolean {
  const [scope, key = ''] = name.split('.')
  if (scope === 'config') return config.some((field) => field.key === key)
  if (scope === 'kept') return key !== ''
  if (scope === 'account') return key === 'id'
  if (scope === 'client') return key === 'id'
  if (scope === 'credentials')
    return auth.type === 'api_key' ? auth.fields.some((field) => field.key === key) : key === 'accessToken'
  return input.includes(scope!)
}

/** Tools with results that others see. */
const SENDING = /^(send|reply|post|comment)(_|$)/

function toolProblems({ slug, tools }: ConnectorDefinition): string[] {
  const names = tools.map(({ name }) => name)
  return tools.flatMap((tool, index) => {
    const at = `tools.${tool.name}`
    if (names.indexOf(tool.name) !== index) return [`${at} exists twice`]
    if (`${slug}_${tool.name}`.length > CALL_NAME_MAX)
      return [`${at} is too long: ${slug}_${tool.name} has more than ${CALL_NAME_MAX} characters`]
    return behaviorProblems(tool, at)
  })
}

function behaviorProblems({ name, effect, risk, request }: ConnectorTool, at: string): string[] {
  if (effect === 'read' && risk !== 'none') return [`${at}.risk must be none for a tool that reads`]
  if (typeof request !== 'function' && request.method === 'GET' && effect !== 'read')
    return [`${at}.effect must be read for a GET request`]
  if (SENDING.test(name) && risk === 'none')
    return [`${at}.risk must be send for a tool whose result others see`]
  return []
}

const eventProblems = ({ slug, receiver }: ConnectorDefinition): string[] =>
  Object.keys(receiver?.events ?? {})
    .filter((key) => !key.startsWith(`${slug}.`))
    .map((key) => `receiver.events.${key} must begin with ${slug}.`)

/** API paths and custom connector prefixes. */
const RESERVED = /^(custom|endpoints|webhooks)$|^custom-/

const isPattern = (pattern: string) => {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const https = z.string().regex(/^https:\/\/[^\s@]+$/, 'must be an https URL')
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !text.includes('\n'), 'must be one line')
const code = z.custom<(...input: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)

const field = z.looseObject({
  key: z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'must be letters and digits'),
  label: line(80),
  required: z.boolean(),
  hint: line(300).optional(),
  pattern: z.string().refine(isPattern, 'must be a regular expression').optional(),
})
const fields = z
  .array(field)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must have unique keys')

const request = z.looseObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().regex(/^(\/|https:\/\/|$)/, 'must begin with a slash, or be an https URL'),
})

const tool = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores'),
  description: z.string().min(1).max(2000),
  input: z.instanceof(z.ZodObject, { error: 'must be an object schema' }),
  effect: z.enum(['read', 'idempotent', 'once']),
  risk: z.enum(['none', 'send', 'spend', 'delete', 'share']),
  request: z.union([code, request]),
})

const oauth = z.looseObject({
  type: z.literal('oauth'),
  authorizeUrl: https,
  tokenUrl: https,
  refreshUrl: https.optional(),
  revoke: z.looseObject({ url: z.union([code, https]) }).optional(),
  registerUrl: https,
  scopes: z.looseObject({ default: z.array(z.string().min(1)) }),
  lifetime: z.looseObject({
    access: z.number().positive().nullable(),
    refresh: z.enum(['rotates', 'stays', 'none']),
  }),
})

/** `check-definition.ts` adds the rules between parts. */
const DefinitionSchema = z.looseObject({
  slug: z
    .string()
    .max(40)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and hyphens')
    .refine((slug) => !RESERVED.test(slug), 'is reserved'),
  name: line(60),
  description: line(200),
  category: z.enum(CONNECTOR_CATEGORY_NAMES),
  docsUrl: https,
  checkedAt: z.iso.date(),
  availability: z.looseObject({ value: z.enum(['beta', 'coming_soon']), reason: line(300) }).optional(),
  config: fields.optional(),
  auth: z.discriminatedUnion('type', [
    oauth,
    z.looseObject({ type: z.literal('api_key'), fields: fields.min(1) }),
    z.looseObject({ type: z.literal('none') }),
  ]),
  baseUrl: z.union([code, z.string().regex(/^(https:\/\/|\{(config|kept)\.\w+\})/, 'must be an https URL')]),
  hosts: z.array(z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/, 'must be a host')).optional(),
  check: z.looseObject({ request: z.union([code, request]), account: z.looseObject({}) }),
  discover: z.looseObject({ request, keep: code }).optional(),
  tools: z.array(tool).max(100),
  receiver: z.looseObject({ events: z.record(z.string(), z.string()), normalize: code }).optional(),
})
