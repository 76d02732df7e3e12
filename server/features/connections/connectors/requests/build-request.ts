import type { Send } from '../definition/auth.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import {
  encodeSegment,
  fillText,
  fillValue,
  MissingValueError,
  plainText,
  type RequestTemplate,
  type Scope,
  type TemplateValue,
} from '../definition/template.ts'

export interface ConnectionTarget {
  definition: ConnectorDefinition
  config: Readonly<Record<string, string>>
  kept: Readonly<Record<string, string>>
  credentials: Readonly<Record<string, string>>
  account: { id: string | null }
  /** Replaces scheme, host and port. */
  override: string | null
}

export interface BuiltRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Throws if the request would leave the connector's hosts. */
export function buildRequest(
  target: ConnectionTarget,
  template: RequestTemplate,
  input: Scope,
  idempotencyKey?: string,
): BuiltRequest {
  const { definition, config, kept, credentials, account } = target
  const own = { config, kept, credentials, account }
  // An input can't replace these.
  const scope = { ...input, ...own }
  const headers: Record<string, string> = { accept: 'application/json' }
  for (const each of [definition.headers, template.headers]) {
    for (const [name, value] of Object.entries(each ?? {}))
      headers[name] = headerValue(fillText(value, scope))
  }
  const url = urlOf(target, template, scope)
  const body = bodyOf(template, scope, headers, idempotencyKey)
  for (const send of sendsOf(target)) authorize(send, url, headers, { ...own, ...credentials })
  if (template.idempotencyHeader && idempotencyKey) headers[template.idempotencyHeader] = idempotencyKey
  return {
    method: template.method,
    url: replaceOrigin(url.href, target.override),
    headers,
    ...(body !== undefined && { body }),
  }
}

function urlOf(
  { definition, ...own }: ConnectionTarget,
  { path, query }: RequestTemplate,
  scope: Scope,
): URL {
  const { baseUrl } = definition
  const base = fillText(typeof baseUrl === 'function' ? baseUrl(own.config) : baseUrl, own, plainPart)
  if (!/^https:\/\/[A-Za-z0-9.-]+(:\d+)?(\/|$)/.test(base)) throw new ForeignHostError(base)
  const filled = fillText(path, scope, encodeSegment)
  const isFull = /^https?:\/\//.test(path)
  const text = isFull ? filled : base.replace(/\/+$/, '') + filled
  const url = parseUrl(text)
  requireSamePath(text, url)
  // A provider-returned base URL must be at one of `hosts`.
  const isReturned = typeof baseUrl === 'string' && baseUrl.startsWith('{kept.')
  const allowed = [...(isReturned ? [] : [new URL(base).host]), ...(definition.hosts ?? [])]
  if (
    !allowed.some((pattern) => matchesHost(url.host, pattern)) ||
    url.username ||
    url.protocol !== 'https:'
  ) {
    throw new ForeignHostError(url.host)
  }
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of [fillValue(value, scope)].flat()) {
      if (each !== undefined && each !== null) url.searchParams.append(name, plainText(each))
    }
  }
  return url
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new ForeignHostError(text.split('/')[2] ?? '')
  return new URL(text)
}

/** URL parsers resolve `..` even percent-encoded. */
function requireSamePath(text: string, { pathname }: URL): void {
  const written = /^https?:\/\/[^/?#]*([^?#]*)/.exec(text)?.[1] || '/'
  if (written !== pathname) throw new UnsafePathError()
}

/** A slash or `@` would change the request's target. */
export function plainPart(value: string): string {
  if (/^https:\/\/[A-Za-z0-9.-]+(:\d+)?$/.test(value)) return value
  if (!/^[\w.:-]+$/.test(value)) throw new ForeignHostError(value)
  return value
}

/** `*.example.com` matches hosts below example.com. */
export const matchesHost = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.')
    ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
    : host === pattern

function bodyOf(
  { json, form, graphql, content, idempotencyVariable }: RequestTemplate,
  scope: Scope,
  headers: Record<string, string>,
  idempotencyKey: string | undefined,
): string | Uint8Array | undefined {
  const jsonBody = (value: unknown) => {
    headers['content-type'] ??= 'application/json'
    return JSON.stringify(value)
  }
  if (graphql) {
    const key = idempotencyVariable && idempotencyKey && { [idempotencyVariable]: idempotencyKey }
    const variables = { ...(fillValue(graphql.variables ?? {}, scope) as object), ...key }
    return jsonBody({ query: graphql.query, variables })
  }
  if (json !== undefined) return jsonBody(fillValue(json, scope))
  if (form) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    return formOf(form, scope)
  }
  if (!content) return undefined
  headers['content-type'] = content.type
  return content.body
}

function formOf(form: Readonly<Record<string, TemplateValue>>, scope: Scope): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    for (const each of [fillValue(value, scope)].flat()) {
      if (each !== undefined && each !== null) parameters.append(name, plainText(each))
    }
  }
  return parameters.toString()
}

function sendsOf({ definition: { auth } }: ConnectionTarget): Send[] {
  if (auth.type === 'none') return []
  if (auth.type === 'oauth') return [auth.send ?? { header: 'authorization', value: 'Bearer {accessToken}' }]
  return [auth.send].flat() as Send[]
}

function authorize(send: Send, url: URL, headers: Record<string, string>, scope: Scope): void {
  if (send === 'path') return
  const fill = (text: string) => ('optional' in send ? fillOptional(text, scope) : fillText(text, scope))
  if ('basic' in send) {
    const user = fill(send.basic.user)
    if (user === '') return
    const pair = `${user}:${fill(send.basic.password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    return
  }
  const value = fill(send.value)
  if ('query' in send) {
    url.searchParams.set(send.query, value)
    return
  }
  const name = fill(send.header).toLowerCase()
  // How the request is sent, not who sends it.
  if (
    name === '' ||
    value === '' ||
    /^(host|connection|content-.*|transfer-encoding|expect|te|upgrade)$/.test(name)
  )
    return
  headers[name] = headerValue(value)
}

function fillOptional(text: string, scope: Scope): string {
  try {
    return fillText(text, scope)
  } catch (error) {
    if (error instanceof MissingValueError) return ''
    throw error
  }
}

/** A line break would start another header. */
const headerValue = (value: string) => value.replace(/[\r\n\0]/g, '')

/** Bad values, not a fault. */
export const isUnsendable = (error: unknown): error is Error =>
  error instanceof MissingValueError || error instanceof UnsafePathError || error instanceof ForeignHostError

export class UnsafePathError extends Error {
  constructor() {
    super('a path value must not be "." or ".."')
  }
}

export class ForeignHostError extends Error {
  constructor(host: string) {
    super(`${host} is not one of this connector’s hosts`)
  }
}

export function replaceOrigin(url: string, override: string | null): string {
  if (override === null) return url
  const [original, replacement] = [new URL(url), new URL(override)]
  return `${replacement.origin}${original.pathname}${original.search}`
}
