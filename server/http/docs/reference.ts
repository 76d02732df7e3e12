import { dictionary } from '../../../contract/dictionary.ts'
import type { Access, Endpoint, Limit } from '../../../contract/endpoint.ts'
import { declaredResponses } from '../../../contract/responses.ts'
import { toCurlCommand } from './curl.ts'
import { describeField, type Field, listSchemaFields } from './fields.ts'
import { jsonContentSchema, locateOperations, type OpenApiOperation } from './openapi-operation.ts'
import { sampleBody, sampleValue } from './sample.ts'

export interface Group {
  id: string
  name: string
  operations: Operation[]
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description?: string
  access: string
  limit?: string
  inputs: { title: string; fields: Field[] }[]
  success: number
  output: Field[]
  statuses: Status[]
  curl: string
  example: string
}

export function buildReference(endpoints: Endpoint[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { endpoint, path, operation } of locateOperations(endpoints)) {
    const [key = ''] = /^\w+(?=\.)/.exec(operation.operationId) ?? operation.tags
    const group = groups.get(key) ?? { id: idOf(key), name: nameOf(key), operations: [] }
    groups.set(key, group)
    group.operations.push(describe(endpoint, path, operation))
  }
  return [...groups.values()]
}

function describe(endpoint: Endpoint, path: string, operation: OpenApiOperation): Operation {
  const { method, status = 200 } = endpoint
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const body = jsonContentSchema(requestBody)
  const output = jsonContentSchema(responses[status])
  const fieldsIn = (location: string) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, required = false, description, schema }) =>
        describeField(name, { ...schema, description }, required),
      )
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    access: accessOf(operation['x-access']),
    limit: operation['x-limit'] && limitOf(operation['x-limit']),
    inputs: [
      { title: 'Path', fields: fieldsIn('path') },
      { title: 'Query', fields: fieldsIn('query') },
      { title: 'Headers', fields: fieldsIn('header') },
      { title: 'Body', fields: body ? listSchemaFields(body) : [] },
    ].filter(({ fields }) => fields.length > 0),
    success: status,
    output: output ? listSchemaFields(output) : [],
    statuses: statusesOf(endpoint),
    curl: toCurlCommand(exampleCall(endpoint, path, operation)),
    example: output
      ? JSON.stringify(sampleValue(output, operation.tags), null, 2)
      : binaryExampleOf(endpoint),
  }
}

function binaryExampleOf({ bytes, redirects }: Endpoint): string {
  if (redirects) return 'Redirects; no body'
  return bytes === 'events' ? 'Server-sent events' : 'The file’s bytes'
}

function exampleCall(
  { method, status = 200, redirects }: Endpoint,
  path: string,
  operation: OpenApiOperation,
) {
  const { tags, parameters, requestBody } = operation
  const body = jsonContentSchema(requestBody)
  const sampleParameters = (location: string) =>
    parameters
      .filter(
        ({ in: parameterLocation, required, schema }) =>
          parameterLocation === location && (required || schema.default !== undefined),
      )
      .map(({ name, schema }) => [name, sampleValue(schema, [name])] as const)
  const ids = Object.fromEntries(sampleParameters('path'))
  const isIdempotent = parameters.some(({ name }) => name === 'Idempotency-Key')
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name]))),
    query: Object.fromEntries(sampleParameters('query')),
    access: operation['x-access'],
    idempotencyPrefix: isIdempotent ? path.split('/').findLast((part) => !part.startsWith('{')) : undefined,
    body: body && sampleBody(body, tags),
    sendsFile: requestBody !== undefined && body === undefined,
    savesFile: !redirects && jsonContentSchema(operation.responses[status]) === undefined,
  }
}

const idOf = (key: string) =>
  key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(' ', '-')

const nameOf = (key: string) => NAMES[key] ?? capitalize(idOf(key).split('-').map(wordOf).join(' '))

const WORDS: Record<string, string | undefined> = dictionary({
  favourites: 'favorites',
  mcp: 'MCP',
  oauth: 'OAuth',
  sms: 'SMS',
})

const wordOf = (word: string) => WORDS[word] ?? word

const NAMES: Record<string, string | undefined> = dictionary({
  accounts: 'Sessions and setup',
  signIn: 'Sign-in',
  oauth: 'OAuth sign-in',
  security: 'Account security',
  invites: 'Invitations',
  apiKeys: 'API keys',
  projectExport: 'Export and restore',
  live: 'Live updates',
  objects: 'Signed URLs',
  operations: 'Operations',
})

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function accessOf(access: Access): string {
  if (access.kind === 'signature') return 'Signed URL or signature; no other credential'
  if (access.kind === 'public') return 'Public; no credential required'
  if (access.kind === 'member') {
    if (access.share) return `API key or browser session; share link guests with ${access.share} access`
    const ordinary = access.scope
      ? `API key with the [scope](#scopes) \`${access.scope}\`, or browser session`
      : 'API key or browser session'
    return access.steppedUpIf
      ? `${ordinary}; \`${access.steppedUpIf.query}=true\` requires a browser session with [step-up](#credentials)`
      : ordinary
  }
  if (access.kind === 'browser') {
    return access.operator
      ? 'Operator in a browser session; API keys are refused'
      : 'Browser session; API keys are refused'
  }
  if (access.operator) return 'Operator in a browser session with [step-up](#credentials)'
  return access.orSelf
    ? 'Browser session with [step-up](#credentials), or the API key itself'
    : 'Browser session with [step-up](#credentials); API keys are refused'
}

function limitOf({ capacity, perSeconds, by, refusal }: Limit): string {
  const rate = `${capacity.toLocaleString('en-US')} calls per ${duration(perSeconds)}, per ${SUBJECTS[by]}`
  return refusal ? `${rate}; then \`${refusal}\`` : rate
}

function duration(seconds: number): string {
  const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return amount === 1 ? unit : `${amount} ${unit}s`
}

const SUBJECTS = {
  caller: 'user',
  ip: 'IP address',
  'caller and ip': 'user and IP address',
} satisfies Record<Limit['by'], string>

interface Status {
  status: number
  name: string
}

const statusesOf = (endpoint: Endpoint): Status[] =>
  declaredResponses(endpoint).flatMap(({ status, description, codes }) =>
    codes.length > 0 && !endpoint.errors
      ? codes.map((code) => ({ status, name: code }))
      : [{ status, name: STATUS_NAMES[status] ?? description }],
  )

const STATUS_NAMES: Record<number, string | undefined> = {
  201: 'Created',
  202: 'Accepted',
  206: 'Partial content',
  304: 'Not modified',
  416: 'Range not satisfiable',
}
