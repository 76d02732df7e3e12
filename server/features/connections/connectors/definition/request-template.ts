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
export interface Reference {
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

/** Whether the provider recognizes a repetition of the request by its key. */
export const isKeyed = (request: RequestTemplate | undefined): boolean =>
  (request?.idempotencyHeader ?? request?.idempotencyVariable) !== undefined
