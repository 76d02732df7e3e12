import type { Endpoint } from '../../../contract/endpoint.ts'
import { accessOf, limitOf } from './access.ts'
import { type Answer, answersOf } from './answers.ts'
import { curlOf } from './curl.ts'
import { type Field, fieldOf, fieldsOf } from './fields.ts'
import { jsonOf, type OpenApiOperation, operationsOf } from './openapi-operation.ts'
import { sampleBody, sampleOf } from './sample.ts'

export interface Group {
  id: string
  name: string
  operations: Operation[]
}

/** An operation in the words of the reference; the page and the Markdown only lay it out. */
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
  answers: Answer[]
  curl: string
  example: string
}

/** The contract by noun, in its own order. */
export function referenceOf(endpoints: Endpoint[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { method, path, operation } of operationsOf(endpoints)) {
    const [tag] = operation.tags
    const group = groups.get(tag) ?? { id: tag.replaceAll(' ', '-'), name: nameOf(tag), operations: [] }
    groups.set(tag, group)
    group.operations.push(describe(method, path, operation))
  }
  return [...groups.values()]
}

function describe(method: string, path: string, operation: OpenApiOperation): Operation {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const body = jsonOf(requestBody)
  const [status, answer] = Object.entries(responses)[0]!
  const output = jsonOf(answer)
  const fieldsIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
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
    success: Number(status),
    output: output ? fieldsOf(output) : [],
    answers: answersOf(method, operation, Number(status)),
    curl: curlOf(exampleCall(method, path, operation)),
    example: output ? JSON.stringify(sampleOf(output, operation.tags), null, 2) : 'The bytes of the file',
  }
}

function exampleCall(method: string, path: string, operation: OpenApiOperation) {
  const { tags, parameters, requestBody } = operation
  const body = jsonOf(requestBody)
  const sampled = (place: string) =>
    parameters
      .filter(
        ({ in: where, required, schema }) => where === place && (required || schema.default !== undefined),
      )
      .map(({ name, schema }) => [name, sampleOf(schema, [name])] as const)
  const ids = Object.fromEntries(sampled('path'))
  const isIdempotent = parameters.some(({ name }) => name === 'Idempotency-Key')
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name]))),
    query: Object.fromEntries(sampled('query')),
    access: operation['x-access'],
    keyed: isIdempotent ? path.split('/').findLast((part) => !part.startsWith('{')) : undefined,
    body: body && sampleBody(body, tags),
    sendsFile: requestBody !== undefined && body === undefined,
    savesFile: jsonOf(Object.values(operation.responses)[0]) === undefined,
  }
}

function nameOf(tag: string): string {
  const known = NAMES[tag]
  if (known) return known
  const [, administered] = /^admin (.+)$/.exec(tag) ?? []
  if (administered) return `Platform admin: ${administered}`
  return capitalise(tag.replaceAll('-', ' ').replace(/\b(api|mcp|sms)\b/g, (word) => word.toUpperCase()))
}

const NAMES: Record<string, string | undefined> = { setup: 'First start', auth: 'Sign-in and session' }

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
