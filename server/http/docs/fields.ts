import { dictionary } from '../../../contract/dictionary.ts'
import { isNullable, type JsonSchema, normalize, unionOptions } from './schema.ts'

/** Notes can contain `code`. */
export interface Field {
  path: string
  type: string
  required: boolean
  notes: string[]
}

export function listSchemaFields(schema: JsonSchema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = normalize(schema)
  return Object.entries(properties).flatMap(([name, child]) => {
    const path = `${prefix}${name}`
    return [describeField(path, child, required.includes(name)), ...nestedFields(path, normalize(child))]
  })
}

export function describeField(path: string, schema: JsonSchema, required: boolean): Field {
  return { path, type: typeOf(schema), required, notes: notesOf(schema) }
}

/** Only some notes end with a period. */
export const sentences = (notes: string[]): string => notes.map((note) => note.replace(/\.?$/, '.')).join(' ')

function nestedFields(path: string, { items, additionalProperties, ...schema }: JsonSchema): Field[] {
  if (items) return listSchemaFields(items, `${path}[].`)
  if (isSchema(additionalProperties)) return listSchemaFields(additionalProperties, `${path}.*.`)
  return listSchemaFields(schema, `${path}.`)
}

function typeOf(schema: JsonSchema): string {
  const options = unionOptions(normalize(schema))
  if (options.length > 0) return options.map(typeOf).join(' or ')
  return isNullable(schema) ? `${nameOf(normalize(schema))} or null` : nameOf(normalize(schema))
}

function nameOf({ type, format = '', items, const: only }: JsonSchema): string {
  if (items) return `list of ${plural(typeOf(items))}`
  if (type === undefined) return only === undefined ? 'any' : typeof only
  return FORMATS[format] ?? String(type)
}

const FORMATS: Record<string, string | undefined> = dictionary({
  uuid: 'UUID',
  'date-time': 'timestamp',
  email: 'email address',
  uri: 'URL',
})

const plural = (type: string) => (type === 'any' ? 'anything' : type.replace(/^[\w ]+?(?= or |$)/, '$&s'))

function notesOf(schema: JsonSchema): string[] {
  const merged = { ...schema, ...normalize(schema) }
  const values = merged.items ? normalize(merged.items).enum : (merged.enum ?? merged.propertyNames?.enum)
  return [
    merged.const !== undefined && `Always \`${JSON.stringify(merged.const)}\``,
    values && `${choiceOf(merged)} ${values.map((value) => `\`${String(value)}\``).join(', ')}`,
    range(merged.minLength, merged.maxLength, 'characters'),
    range(merged.minItems, merged.maxItems, 'items'),
    range(merged.minimum, merged.maximum),
    merged.pattern && !merged.format && `Matches \`${merged.pattern}\``,
    merged.default !== undefined && `Default \`${JSON.stringify(merged.default)}\``,
    merged.description,
  ].filter((note): note is string => Boolean(note))
}

function choiceOf({ items, enum: own }: JsonSchema): string {
  if (items) return 'Any of'
  return own ? 'One of' : 'Keys are'
}

/** Omits the safe integer bounds zod adds to every integer. */
function range(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, unit = ''): string | false {
  const withUnit = (text: string) => `${text} ${unit}`.trim()
  const hasMin = min > (unit ? 0 : Number.MIN_SAFE_INTEGER)
  const hasMax = max < Number.MAX_SAFE_INTEGER
  if (hasMin && min === max) return withUnit(`Exactly ${formatNumber(min)}`)
  if (hasMin && hasMax) return withUnit(`${formatNumber(min)} to ${formatNumber(max)}`)
  if (hasMax) return withUnit(`At most ${formatNumber(max)}`)
  return hasMin && withUnit(`At least ${formatNumber(min)}`)
}

const formatNumber = (value: number) => value.toLocaleString('en-US')

const isSchema = (value: boolean | JsonSchema | undefined): value is JsonSchema => typeof value === 'object'
