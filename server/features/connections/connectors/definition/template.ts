/** Strings contain `{name}`. In a path, each value is one percent-encoded segment. */
export interface RequestTemplate {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A full URL must be at one of the connector's `hosts`. */
  path: string
  /** An absent value omits its parameter. */
  query?: Readonly<Record<string, TemplateValue>>
  headers?: Readonly<Record<string, string>>
  /** `{ $: 'title' }` is an input value. An absent one omits its field. */
  json?: TemplateValue
  form?: Readonly<Record<string, TemplateValue>>
  graphql?: { query: string; variables?: Readonly<Record<string, TemplateValue>> }
  /** For bodies that JSON and forms can't express, such as a file. */
  content?: { type: string; body: string | Uint8Array }
  /** The key is shared by all attempts. */
  idempotencyHeader?: string
  /** The same as a `graphql` variable. */
  idempotencyVariable?: string
}

/** `title` from the input, `config.host`, `kept.cloudId`, `account.id`. */
interface Reference {
  readonly $: string
}

export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | Reference
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue }

export const from = (path: string): Reference => ({ $: path })

const isReference = (value: object): value is Reference => '$' in value

export const isKeyed = (request: RequestTemplate | undefined): boolean =>
  (request?.idempotencyHeader ?? request?.idempotencyVariable) !== undefined

/** The tool's input, and `config`, `kept`, `credentials`, `account`. */
export type Scope = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{([A-Za-z][\w.]*)\}/g

/** Such as `data.items.0.id`. Own properties only. */
export function valueAt(scope: unknown, path: string): unknown {
  let value = scope
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Throws if a value is missing. */
export function fillText(template: string, scope: Scope, encode: (value: string) => string = String): string {
  return template.replace(PLACEHOLDER, (_, path: string) => {
    const value = valueAt(scope, path)
    if (value === undefined || value === null) throw new MissingValueError(path)
    return encode(plainText(value))
  })
}

/** Lists and objects become JSON. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Omits fields and items with a missing value. */
export function fillValue(template: TemplateValue, scope: Scope): unknown {
  if (Array.isArray(template)) {
    return template.map((item) => fillValue(item, scope)).filter((item) => item !== undefined)
  }
  if (typeof template !== 'object' || template === null) return template
  if (isReference(template)) return valueAt(scope, template.$)
  const filled = Object.entries(template).map(([key, value]) => [key, fillValue(value, scope)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

export const encodeSegment = (value: string) => encodeURIComponent(value.toWellFormed())

export class MissingValueError extends Error {
  readonly path: string
  constructor(path: string) {
    super(`${path} is missing`)
    this.path = path
  }
}

/** Connection names, which an input can't have. */
export const RESERVED_NAMES = ['account', 'config', 'credentials', 'kept']

export interface TemplateName {
  at: string
  name: string
}

export const namesInText = (text: string, at: string): TemplateName[] =>
  [...text.matchAll(/\{([A-Za-z][\w.]*)\}/g)].map(([, name]) => ({ at, name: name! }))

/** `{name}` in the path and headers, references elsewhere. */
export function namesInRequest(request: RequestTemplate, at: string): TemplateName[] {
  const { path, headers = {}, query, json, form, graphql } = request
  return [
    ...namesInText(path, `${at}.path`),
    ...Object.entries(headers).flatMap(([header, value]) => namesInText(value, `${at}.headers.${header}`)),
    ...namesInValue(query, `${at}.query`),
    ...namesInValue(json, `${at}.json`),
    ...namesInValue(form, `${at}.form`),
    ...namesInValue(graphql?.variables, `${at}.graphql.variables`),
  ]
}

function namesInValue(value: TemplateValue | undefined, at: string): TemplateName[] {
  if (typeof value !== 'object' || value === null) return []
  if ('$' in value) return [{ at, name: value.$ as string }]
  return Object.entries(value).flatMap(([key, each]) => namesInValue(each as TemplateValue, `${at}.${key}`))
}
