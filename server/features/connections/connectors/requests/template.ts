import type { Reference, TemplateValue } from '../definition/request-template.ts'

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

const isReference = (value: object): value is Reference => '$' in value

export class MissingValueError extends Error {
  readonly path: string
  constructor(path: string) {
    super(`${path} is missing`)
    this.path = path
  }
}
