import { type JsonSchema, optionsOf, plain } from './schema.ts'

/**
 * A plausible value for a schema: the contract's own example or default where it states one, otherwise a value that
 * suits the name. The tests parse every sample with the contract.
 */
export function sampleOf(schema: JsonSchema, trail: string[] = []): unknown {
  const stated = schema.examples?.[0] ?? schema.const ?? schema.default
  if (stated !== undefined) return stated
  const options = optionsOf(schema).filter(({ type }) => type !== 'null')
  if (options.length > 0) return sampleOf(options[0]!, trail)
  const { type, items, properties, ...rest } = plain(schema)
  if (properties) return sampleObject(properties, trail)
  if (items) return listOf(items, trail)
  if (rest.enum) return rest.enum[0]
  if (type === 'object') return sampleRecord(rest, trail)
  if (type === 'integer' || type === 'number') return Math.max(rest.minimum ?? 1, 1)
  if (type === 'boolean') return true
  return type === 'string' ? sampleText(rest, trail) : null
}

/** The fields of a request that an example should show: what is required, and what there is a good value for. */
export function sampleBody(schema: JsonSchema, trail: string[]): unknown {
  if (schema.examples) return schema.examples[0]
  const [option] = optionsOf(schema)
  const { properties, required = [] } = plain(option ?? schema)
  if (!properties) return sampleOf(schema, trail)
  const shown = Object.entries(properties).filter(
    ([name, child]) => required.includes(name) || child.default !== undefined || child.examples || child.enum,
  )
  return sampleObject(Object.fromEntries(shown), trail)
}

const sampleObject = (properties: Record<string, JsonSchema>, trail: string[]) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [name, sampleOf(child, [...trail, name])]),
  )

function listOf(items: JsonSchema, trail: string[]): unknown[] {
  const item = sampleOf(items, trail)
  return item === null ? [] : [item]
}

function sampleRecord({ propertyNames, additionalProperties }: JsonSchema, trail: string[]) {
  const names = (propertyNames?.enum as string[] | undefined) ?? []
  const value = typeof additionalProperties === 'object' ? additionalProperties : {}
  return Object.fromEntries(names.map((name) => [name, sampleOf(value, [...trail, name])]))
}

function sampleText({ format, pattern, minLength = 0 }: JsonSchema, trail: string[]): string {
  if (format === 'uuid') return '0197f6c2-5c1e-7a40-9c3d-2b1f0e8d7a65'
  if (format === 'date-time') return '2026-07-14T09:26:53.589Z'
  const name = trail.at(-1) ?? ''
  const known = WORDS[trail.slice(-2).join('.')] ?? WORDS[name]
  if (known) return known
  if (pattern?.includes('\\d')) return '42'
  return name.padEnd(minLength, '.')
}

/** By the name of the field, preceded by that of its holder (or of the group) where the name alone says too little. */
const WORDS: Record<string, string | undefined> = {
  name: 'Ada Lovelace',
  'api-keys.name': 'Deploy bot',
  'items.name': 'Deploy bot',
  'data.name': 'Deploy bot',
  'organization.name': 'Analytical Engines',
  'organizations.name': 'Analytical Engines',
  'workspace.name': 'General',
  organizationName: 'Analytical Engines',
  email: 'ada@example.com',
  password: 'correct horse battery',
  token: 'q7Zt0mXv3Kc9',
  key: 'atrium_test_5f0c…9b3e',
  prefix: 'atrium_test_',
  lastFour: '9b3e',
  scopes: 'models:read',
  message: 'The export button does nothing in Safari',
  body: 'Thank you, we can reproduce it.',
  note: 'Seen by three teams',
  taskId: 'ATR-142',
  task: 'send-mail',
  lastError: 'The mail server did not answer',
  nextCursor: 'eyJjIjoiMjAyNi0wNy0xNCJ9',
}
