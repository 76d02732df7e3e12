import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { bodyHash } from './etag.ts'

interface JsonSchema {
  type?: string
  const?: unknown
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  required?: string[]
  $ref?: string
}

type Picker = (value: never) => unknown

/**
 * An undeclared column never leaves the server. Copying fields and calling JSON.stringify beats a compiled serializer,
 * which builds a rope of a hundred strings that V8 must flatten before sending.
 */
export function createSerializer(endpoint: ResponseDeclaration, check: boolean): (value: unknown) => string {
  // Compiled by the first response: compiling all endpoints at boot takes 4 MB.
  let pick: ((value: unknown) => unknown) | null | undefined
  const write = (value: unknown) => {
    const text = serializedText(value)
    if (text !== null) return text
    pick ??= pickerOf(endpoint.output) as typeof pick
    return JSON.stringify(pick ? pick(value) : value) ?? 'null'
  }
  const writeChecked = check ? (value: unknown) => write(validate(endpoint.output, value)) : write
  return endpoint.envelope ? (value) => `{"success":true,"data":${writeChecked(value)}}` : writeChecked
}

/** Refuses a value with another shape, and serialized text with an undeclared field. */
function validate(output: z.ZodType, value: unknown): unknown {
  const text = serializedText(value)
  if (text === null) return output.parse(value)
  const content: unknown = JSON.parse(text)
  if (!isDeepStrictEqual(output.parse(content), content)) {
    throw new Error('A serialized response has fields that its endpoint does not declare')
  }
  return value
}

function serializedText(value: unknown): string | null {
  if (value instanceof JsonText) return value.text
  if (value instanceof JsonParts) return value.parts.join('')
  return value instanceof JsonBytes ? value.bytes.toString() : null
}

interface ResponseDeclaration {
  output: z.ZodType
  envelope?: true | undefined
}

const pickers = new WeakMap<z.ZodType, Picker | null>()

/** Cached by schema, for tests that boot several servers in one process. */
function pickerOf(output: z.ZodType): Picker | null {
  const cached = pickers.get(output)
  if (cached !== undefined) return cached
  const schema = z.toJSONSchema(output, { unrepresentable: 'any', io: 'output', reused: 'inline' })
  const created = createPicker(schema as JsonSchema)
  pickers.set(output, created)
  return created
}

/** Null if the schema declares no fields, or arbitrary further ones, so the value isn't copied. */
function createPicker(schema: JsonSchema): Picker | null {
  // A recursive schema would recurse without end here.
  if (schema.$ref) throw new Error(`An output must not be recursive: ${schema.$ref}`)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return pickOption(options)
  const isOpen = typeof schema.additionalProperties === 'object'
  if (schema.properties) return isOpen ? null : pickFields(schema.properties)
  if (schema.items) return pickItems(schema.items)
  return isOpen ? pickValues(schema.additionalProperties as JsonSchema) : null
}

function pickFields(properties: Record<string, JsonSchema>): Picker {
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, pick: createPicker(schema) }))
  return (value: Record<string, never>) => {
    const picked: Record<string, unknown> = {}
    for (const { name, pick } of fields) {
      const field = value[name]
      if (field !== undefined) picked[name] = pick && field !== null ? pick(field) : field
    }
    return picked
  }
}

function pickItems(schema: JsonSchema): Picker | null {
  const pick = createPicker(schema)
  return pick && ((values: never[]) => values.map((value) => (value === null ? null : pick(value))))
}

function pickValues(schema: JsonSchema): Picker | null {
  const pick = createPicker(schema)
  if (!pick) return null
  return (values: Record<string, never>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === null ? null : pick(value)]),
    )
}

/** Selects a union member by its constants, such as `kind`, and its required fields. */
function pickOption(options: JsonSchema[]): Picker | null {
  const shapes = options.filter(({ type }) => type !== 'null')
  if (shapes.length === 1) return createPicker(shapes[0]!)
  const picks = shapes.map((shape) => ({
    constants: constantsOf(shape),
    required: shape.required ?? [],
    pick: createPicker(shape),
  }))
  if (picks.every(({ pick }) => pick === null)) return null
  return (value: Record<string, unknown>) => {
    const found = picks.find(
      ({ constants, required }) =>
        constants.every(([name, constant]) => value[name] === constant) &&
        required.every((name) => value[name] !== undefined),
    )
    if (!found) throw new Error('A response matches no union member')
    return found.pick ? found.pick(value as never) : value
  }
}

const constantsOf = ({ properties = {} }: JsonSchema) =>
  Object.entries(properties).flatMap(([name, { const: constant }]) =>
    constant === undefined ? [] : [[name, constant] as const],
  )

/**
 * Serialized by PostgreSQL. For lists only: converting fifty rows to objects and back takes Node longer than the whole
 * query. Statements select declared fields by name, and tests fail on an undeclared one.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Sent as is: parsing and serializing half a megabyte takes event loop milliseconds for each caller. */
export class JsonBytes {
  readonly bytes: Buffer
  readonly hash: string

  constructor(value: unknown) {
    this.bytes = Buffer.from(JSON.stringify(value))
    this.hash = bodyHash(this.bytes)
  }
}

/** Approximate characters per part: fewer bytes than a socket and its reader buffer. */
const PART_CHARACTERS = 262_144

/** No event loop turn handles the whole body: 30 MB take half a second to concatenate, encode and send in one turn. */
export class JsonParts {
  readonly parts: string[] = ['']

  add(text: string): void {
    const last = this.parts.at(-1)!
    if (last.length < PART_CHARACTERS) this.parts[this.parts.length - 1] = last + text
    else this.parts.push(text)
  }
}

/** `items` are already serialized; the other fields aren't. */
export function listText(items: string, fields: Record<string, unknown>): JsonText {
  const fieldTexts = Object.entries(fields).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  return new JsonText(`{"items":[${items}]${fieldTexts.join('')}}`)
}
