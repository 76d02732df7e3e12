import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'

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

/** Copies of a value what its schema declares. */
type Pick = (value: never) => unknown

/**
 * Writes exactly the fields that the endpoint's output declares: what a query happens to select beyond them never
 * leaves the server. Copying the declared fields and leaving the writing to JSON.stringify is faster than a compiled
 * writer, whose answer is a rope of a hundred strings that has to be made flat before it can be sent.
 */
export function serialiser(endpoint: Endpoint, check: boolean): (value: unknown) => string {
  const pick = pickerOf(endpoint) as ((value: unknown) => unknown) | null
  const write = (value: unknown) => JSON.stringify(pick ? pick(value) : value) ?? 'null'
  const checked = check ? (value: unknown) => write(endpoint.output.parse(value)) : write
  return endpoint.envelope ? (value) => `{"success":true,"data":${checked(value)}}` : checked
}

const pickers = new WeakMap<Endpoint, Pick | null>()

/** Known by its endpoint, which never changes: a server that is built again in this process has it already. */
function pickerOf(endpoint: Endpoint): Pick | null {
  const known = pickers.get(endpoint)
  if (known !== undefined) return known
  const schema = z.toJSONSchema(endpoint.output, { unrepresentable: 'any', io: 'output', reused: 'inline' })
  const made = picker(schema as JsonSchema)
  pickers.set(endpoint, made)
  return made
}

/** Null where there is nothing to leave out, so that nothing is copied either. */
function picker(schema: JsonSchema): Pick | null {
  // A schema that holds itself has no end to walk to; it would have to be picked by name.
  if (schema.$ref) throw new Error(`An output may not refer to ${schema.$ref}`)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return pickOption(options)
  if (schema.properties) return pickFields(schema.properties)
  if (schema.items) return pickItems(schema.items)
  return typeof schema.additionalProperties === 'object' ? pickValues(schema.additionalProperties) : null
}

function pickFields(properties: Record<string, JsonSchema>): Pick {
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, pick: picker(schema) }))
  return (value: Record<string, never>) => {
    const picked: Record<string, unknown> = {}
    for (const { name, pick } of fields) {
      const field = value[name]
      if (field !== undefined) picked[name] = pick && field !== null ? pick(field) : field
    }
    return picked
  }
}

function pickItems(schema: JsonSchema): Pick | null {
  const pick = picker(schema)
  return pick && ((values: never[]) => values.map((value) => (value === null ? null : pick(value))))
}

function pickValues(schema: JsonSchema): Pick | null {
  const pick = picker(schema)
  if (!pick) return null
  return (values: Record<string, never>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === null ? null : pick(value)]),
    )
}

/** Which of several shapes a value has is told by its constants, such as a `kind`, and by the fields it must have. */
function pickOption(options: JsonSchema[]): Pick | null {
  const shapes = options.filter(({ type }) => type !== 'null')
  if (shapes.length === 1) return picker(shapes[0]!)
  const picks = shapes.map((shape) => ({
    constants: constantsOf(shape),
    required: shape.required ?? [],
    pick: picker(shape),
  }))
  if (picks.every(({ pick }) => pick === null)) return null
  return (value: Record<string, unknown>) => {
    const found = picks.find(
      ({ constants, required }) =>
        constants.every(([name, constant]) => value[name] === constant) &&
        required.every((name) => value[name] !== undefined),
    )
    if (!found) throw new Error('An answer has none of its declared shapes')
    return found.pick ? found.pick(value as never) : value
  }
}

const constantsOf = ({ properties = {} }: JsonSchema) =>
  Object.entries(properties).flatMap(([name, { const: constant }]) =>
    constant === undefined ? [] : [[name, constant] as const],
  )
