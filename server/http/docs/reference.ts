import { dictionary } from '../../../contract/dictionary.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { accessOf, limitOf } from './access.ts'
import { curlOf } from './curl.ts'
import { type Field, fieldOf, fieldsOf } from './fields.ts'
import { jsonOf, type OpenApiOperation, operationsOf } from './openapi-operation.ts'
import { sampleBody, sampleOf } from './sample.ts'
import { type Status, statusesOf } from './statuses.ts'

export interface Group {
  id: string
  name: string
  operations: Operation[]
}

/** An operation with the texts of the reference; the page and the Markdown render it. */
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

/** The operations grouped as in the contract, in its order; each group is a page. */
export function referenceOf(endpoints: Endpoint[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { endpoint, path, operation } of operationsOf(endpoints)) {
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
  const body = jsonOf(requestBody)
  const output = jsonOf(responses[status])
  const fieldsIn = (location: string) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, required = false, description, schema }) =>
        fieldOf(name, { ...schema, description }, required),
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
      { title: 'Body', fields: body ? fieldsOf(body) : [] },
    ].filter(({ fields }) => fields.length > 0),
    success: status,
    output: output ? fieldsOf(output) : [],
    statuses: statusesOf(endpoint),
    curl: curlOf(exampleCall(endpoint, path, operation)),
    example: output ? JSON.stringify(sampleOf(output, operation.tags), null, 2) : binaryExampleOf(endpoint),
  }
}

function binaryExampleOf({ bytes, redirects }: Endpoint): string {
  if (redirects) return 'Redirects; no body'
  return bytes === 'events' ? 'Server-sent events' : 'The bytes of the file'
}

function exampleCall(
  { method, status = 200, redirects }: Endpoint,
  path: string,
  operation: OpenApiOperation,
) {
  const { tags, parameters, requestBody } = operation
  const body = jsonOf(requestBody)
  const sampleParameters = (location: string) =>
    parameters
      .filter(
        ({ in: parameterLocation, required, schema }) =>
          parameterLocation === location && (required || schema.default !== undefined),
      )
      .map(({ name, schema }) => [name, sampleOf(schema, [name])] as const)
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
    savesFile: !redirects && jsonOf(operation.responses[status]) === undefined,
  }
}

const idOf = (key: string) =>
  key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(' ', '-')

const nameOf = (key: string) => NAMES[key] ?? capitalize(idOf(key).split('-').map(wordOf).join(' '))

/** Words of the keys that are written otherwise in a heading. */
const WORDS: Record<string, string | undefined> = dictionary({
  favourites: 'favorites',
  mcp: 'MCP',
  oauth: 'OAuth',
  sms: 'SMS',
})

const wordOf = (word: string) => WORDS[word] ?? word

/** Groups whose key is not their name. */
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
