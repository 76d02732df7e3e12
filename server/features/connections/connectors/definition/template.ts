/** A request as data. Strings contain `{name}`; in a path each value is one percent-encoded segment. */
export interface RequestTemplate {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL. A full URL has to be at one of the `hosts` of the connector. */
  path: string
  /** An absent value leaves its parameter out. */
  query?: Readonly<Record<string, TemplateValue>>
  headers?: Readonly<Record<string, string>>
  /** JSON, in which `{ $: 'title' }` is a value of the input; an absent one leaves its field out. */
  json?: TemplateValue
  form?: Readonly<Record<string, TemplateValue>>
  graphql?: { query: string; variables?: Readonly<Record<string, TemplateValue>> }
  /** For bodies that JSON and forms cannot express, such as a file. */
  content?: { type: string; body: string | Uint8Array }
  /** The header of the provider for a key that is the same for every attempt of a call. */
  idempotencyHeader?: string
  /** The variable of `graphql` for such a key. */
  idempotencyVariable?: string
}

/** A reference to a value: `title` of the input, `config.host`, `kept.cloudId`, `account.id`. */
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

/** A value of the input or of the connection, as it is. */
export const from = (path: string): Reference => ({ $: path })

const isReference = (value: object): value is Reference => '$' in value

/** Whether the provider recognizes a repetition of the request by its key. */
export const isKeyed = (request: RequestTemplate | undefined): boolean =>
  (request?.idempotencyHeader ?? request?.idempotencyVariable) !== undefined

/** The names in a template: the input of the tool by its names, and `config`, `kept`, `credentials`, `account`. */
export type Scope = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{([A-Za-z][\w.]*)\}/g

/** A value by its path, such as `data.items.0.id`; undefined if there is none. Own properties only. */
export function valueAt(scope: unknown, path: string): unknown {
  let value = scope
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Replaces `{name}` by values that `encode` makes safe for where they stand. Throws if a value is missing. */
export function fillText(template: string, scope: Scope, encode: (value: string) => string = String): string {
  return template.replace(PLACEHOLDER, (_, path: string) => {
    const value = valueAt(scope, path)
    if (value === undefined || value === null) throw new MissingValueError(path)
    return encode(plainText(value))
  })
}

/** A value as text; JSON if it is a list or an object. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Replaces references by values, as they are; fields and items whose value is missing are left out. */
export function fillValue(template: TemplateValue, scope: Scope): unknown {
  if (Array.isArray(template)) {
    return template.map((item) => fillValue(item, scope)).filter((item) => item !== undefined)
  }
  if (typeof template !== 'object' || template === null) return template
  if (isReference(template)) return valueAt(scope, template.$)
  const filled = Object.entries(template).map(([key, value]) => [key, fillValue(value, scope)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

/** One segment of a path. */
export const encodeSegment = (value: string) => encodeURIComponent(value.toWellFormed())

export class MissingValueError extends Error {
  readonly path: string
  constructor(path: string) {
    super(`${path} is missing`)
    this.path = path
  }
}

/** The names under which a template reaches the connection; an input cannot have them. */
export const RESERVED_NAMES = ['account', 'config', 'credentials', 'kept']

/** A name that a template refers to, and where. */
export interface TemplateName {
  at: string
  name: string
}

export const namesInText = (text: string, at: string): TemplateName[] =>
  [...text.matchAll(/\{([A-Za-z][\w.]*)\}/g)].map(([, name]) => ({ at, name: name! }))

/** Every name in a request: `{name}` in the path and the headers, references elsewhere. */
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
