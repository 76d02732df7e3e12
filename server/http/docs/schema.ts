/** As much of JSON Schema as the contract makes. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  description?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export const isNullable = (schema: JsonSchema): boolean =>
  typesOf(schema).includes('null') || optionsOf(schema).some((option) => typesOf(option).includes('null'))

/** The same schema in one plain form: null taken out, intersections and alternatives united. */
export function plain(schema: JsonSchema): JsonSchema {
  const type = typesOf(schema).find((name) => name !== 'null')
  if (schema.allOf) return schema.allOf.map(plain).reduce(intersect, without(schema, 'allOf'))
  const options = optionsOf(schema).filter((option) => !typesOf(option).includes('null'))
  if (options.length === 0) return { ...schema, type }
  const { anyOf: _, oneOf: __, ...own } = schema
  if (options.length === 1) return { ...plain(options[0]!), ...own }
  const shapes = options.map(plain)
  return shapes.every(({ properties }) => properties) ? { ...unite(shapes), ...own } : schema
}

/** The alternatives of a schema, of which a value fulfils one. */
export const optionsOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => anyOf ?? oneOf ?? []

const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : [type].flat())

const without = (schema: JsonSchema, name: keyof JsonSchema): JsonSchema => ({ ...schema, [name]: undefined })

const intersect = (left: JsonSchema, right: JsonSchema): JsonSchema => ({
  ...left,
  ...right,
  properties: { ...left.properties, ...right.properties },
  required: [...(left.required ?? []), ...(right.required ?? [])],
})

/** Objects of several shapes as one: a field that only some have says which, and is required by none. */
function unite(shapes: JsonSchema[]): JsonSchema {
  const names = [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties!)))]
  const properties = names.map((name) => {
    const holders = shapes.filter(({ properties }) => properties![name])
    const given = holders.map(({ properties }) => properties![name]!)
    const constants = given.map((schema) => schema.const)
    if (constants.every((value) => value !== undefined)) {
      return [name, { type: given[0]!.type, enum: [...new Set(constants)] }] as const
    }
    if (holders.length === shapes.length) return [name, given[0]!] as const
    const word = holders.every((shape) => shape.required?.includes(name)) ? 'Required' : 'Only'
    const only = `${word} ${holders.map(conditionOf).join(' or ')}.`
    return [
      name,
      { ...given[0]!, description: [given[0]!.description, only].filter(Boolean).join('. ') },
    ] as const
  })
  const required = names.filter((name) => shapes.every((shape) => shape.required?.includes(name)))
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function conditionOf({ properties = {} }: JsonSchema): string {
  const mark = Object.entries(properties).find(([, schema]) => schema.const !== undefined)
  return mark
    ? `when \`${mark[0]}\` is \`${String(mark[1].const)}\``
    : `with \`${Object.keys(properties).join('`, `')}\``
}
