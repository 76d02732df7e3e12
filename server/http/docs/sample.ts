import { dictionary } from '../../../contract/dictionary.ts'
import { type JsonSchema, normalize, unionOptions } from './schema.ts'

/** Falls back to a value that suits the field name. Tests parse every sample with the contract. */
export function sampleValue(schema: JsonSchema, path: string[] = []): unknown {
  const declared = schema.examples?.[0] ?? schema.const ?? schema.default
  if (declared !== undefined) return declared
  const options = unionOptions(schema).filter(({ type }) => type !== 'null')
  if (options.length > 0) return sampleValue(options[0]!, path)
  const { type, items, properties, ...constraints } = normalize(schema)
  if (properties) return sampleObject(properties, path)
  if (items) return sampleList(items, path)
  if (constraints.enum) return constraints.enum[0]
  if (type === 'object') return sampleRecord(constraints, path)
  if (type === 'integer' || type === 'number') return Math.max(constraints.minimum ?? 1, 1)
  if (type === 'boolean') return true
  return type === 'string' ? sampleText(constraints, path) : null
}

/** Required fields, and optional ones with a default, example or enum. */
export function sampleBody(schema: JsonSchema, path: string[]): unknown {
  if (schema.examples) return schema.examples[0]
  const [option] = unionOptions(schema)
  const { properties, required = [] } = normalize(option ?? schema)
  if (!properties) return sampleValue(schema, path)
  const exampleFields = Object.entries(properties).filter(
    ([name, child]) => required.includes(name) || child.default !== undefined || child.examples || child.enum,
  )
  return sampleObject(Object.fromEntries(exampleFields), path)
}

const sampleObject = (properties: Record<string, JsonSchema>, path: string[]) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [name, sampleValue(child, [...path, name])]),
  )

function sampleList(items: JsonSchema, path: string[]): unknown[] {
  const item = sampleValue(items, path)
  return item === null ? [] : [item]
}

function sampleRecord({ propertyNames, additionalProperties }: JsonSchema, path: string[]) {
  const names = (propertyNames?.enum as string[] | undefined) ?? []
  const value = typeof additionalProperties === 'object' ? additionalProperties : {}
  return Object.fromEntries(names.map((name) => [name, sampleValue(value, [...path, name])]))
}

function sampleText({ format, pattern, minLength = 0 }: JsonSchema, path: string[]): string {
  if (format === 'uuid') return '0197f6c2-5c1e-7a40-9c3d-2b1f0e8d7a65'
  if (format === 'date-time') return '2026-07-14T09:26:53.589Z'
  const name = path.at(-1) ?? ''
  const value = VALUES[path.slice(-2).join('.')] ?? VALUES[name]
  if (value) return value
  if (pattern?.includes('\\d')) return '42'
  return name.padEnd(minLength, '.')
}

/** Prefixed with the parent field or group where ambiguous. */
const VALUES: Record<string, string | undefined> = dictionary({
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
  lastError: 'The mail server did not respond',
  nextCursor: 'eyJjIjoiMjAyNi0wNy0xNCJ9',
})
