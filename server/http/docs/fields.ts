import { isNullable, type JsonSchema, optionsOf, plain } from './schema.ts'

/** One row of a table of parameters or fields. Its words may hold `code`. */
export interface Field {
  /** Where it stands, such as `items[].author.name`. */
  path: string
  type: string
  required: boolean
  notes: string[]
}

/** Every field of an object, those of nested objects and lists after the one that holds them. */
export function fieldsOf(schema: JsonSchema, within = ''): Field[] {
  const { properties = {}, required = [] } = plain(schema)
  return Object.entries(properties).flatMap(([name, child]) => {
    const path = `${within}${name}`
    return [fieldOf(path, child, required.includes(name)), ...nestedFields(path, plain(child))]
  })
}

export function fieldOf(path: string, schema: JsonSchema, required: boolean): Field {
  return { path, type: typeOf(schema), required, notes: notesOf(schema) }
}

/** Notes come from several places, some with a full stop and some without. */
export const sentences = (notes: string[]): string => notes.map((note) => note.replace(/\.?$/, '.')).join(' ')

function nestedFields(path: string, { items, additionalProperties, ...schema }: JsonSchema): Field[] {
  if (items) return fieldsOf(items, `${path}[].`)
  if (isSchema(additionalProperties)) return fieldsOf(additionalProperties, `${path}.*.`)
  return fieldsOf(schema, `${path}.`)
}

function typeOf(schema: JsonSchema): string {
  const options = optionsOf(plain(schema))
  if (options.length > 0) return options.map(typeOf).join(' or ')
  return isNullable(schema) ? `${nameOf(plain(schema))} or null` : nameOf(plain(schema))
}

function nameOf({ type, format = '', items, const: only }: JsonSchema): string {
  if (items) return `list of ${plural(typeOf(items))}`
  if (type === undefined) return only === undefined ? 'any' : typeof only
  return FORMATS[format] ?? String(type)
}

const FORMATS: Record<string, string | undefined> = {
  uuid: 'UUID',
  'date-time': 'timestamp',
  email: 'email address',
  uri: 'URL',
}

const plural = (type: string) => (type === 'any' ? 'anything' : type.replace(/^[\w ]+?(?= or |$)/, '$&s'))

/** What a value must fulfil, in words, then what it means. */
function notesOf(schema: JsonSchema): string[] {
  const given = { ...schema, ...plain(schema) }
  const values = given.items ? plain(given.items).enum : (given.enum ?? given.propertyNames?.enum)
  return [
    given.const !== undefined && `Always \`${JSON.stringify(given.const)}\``,
    values && `${choiceOf(given)} ${values.map((value) => `\`${String(value)}\``).join(', ')}`,
    range(given.minLength, given.maxLength, 'characters'),
    range(given.minItems, given.maxItems, 'items'),
    range(given.minimum, given.maximum),
    given.pattern && !given.format && `Matches \`${given.pattern}\``,
    given.default !== undefined && `Default \`${JSON.stringify(given.default)}\``,
    given.description,
  ].filter((note): note is string => Boolean(note))
}

function choiceOf({ items, enum: own }: JsonSchema): string {
  if (items) return 'Any of'
  return own ? 'One of' : 'Keys are'
}

/** The bounds that JavaScript itself sets are not worth a word. */
function range(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, unit = ''): string | false {
  const says = (words: string) => `${words} ${unit}`.trim()
  const least = min > (unit ? 0 : Number.MIN_SAFE_INTEGER)
  const most = max < Number.MAX_SAFE_INTEGER
  if (least && min === max) return says(`Exactly ${count(min)}`)
  if (least && most) return says(`${count(min)} to ${count(max)}`)
  if (most) return says(`At most ${count(max)}`)
  return least && says(`At least ${count(min)}`)
}

const count = (value: number) => value.toLocaleString('en-US')

const isSchema = (given: boolean | JsonSchema | undefined): given is JsonSchema => typeof given === 'object'
