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
  typesOf(schema).includes('null') || unionOptions(schema).some((option) => typesOf(option).includes('null'))

export function normalize(schema: JsonSchema): JsonSchema {
  const type = typesOf(schema).find((name) => name !== 'null')
  if (schema.allOf) return schema.allOf.map(normalize).reduce(intersect, without(schema, 'allOf'))
  const options = unionOptions(schema).filter((option) => !typesOf(option).includes('null'))
  if (options.length === 0) return { ...schema, type }
  const { anyOf: _, oneOf: __, ...own } = schema
  if (options.length === 1) return { ...normalize(options[0]!), ...own }
  const members = options.map(normalize)
  return members.every(({ properties }) => properties) ? { ...mergeUnion(members), ...own } : schema
}

export const unionOptions = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => anyOf ?? oneOf ?? []

const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : [type].flat())

const without = (schema: JsonSchema, name: keyof JsonSchema): JsonSchema => ({ ...schema, [name]: undefined })

const intersect = (left: JsonSchema, right: JsonSchema): JsonSchema => ({
  ...left,
  ...right,
  properties: { ...left.properties, ...right.properties },
  required: [...(left.required ?? []), ...(right.required ?? [])],
})

/** Fields only some members have become optional, and name those members. */
function mergeUnion(members: JsonSchema[]): JsonSchema {
  const names = [...new Set(members.flatMap(({ properties }) => Object.keys(properties!)))]
  const properties = names.map((name) => {
    const holders = members.filter(({ properties }) => properties![name])
    const declared = holders.map(({ properties }) => properties![name]!)
    const constants = declared.map((schema) => schema.const)
    if (constants.every((value) => value !== undefined)) {
      return [name, { type: declared[0]!.type, enum: [...new Set(constants)] }] as const
    }
    if (holders.length === members.length) return [name, declared[0]!] as const
    const condition = holders.every((member) => member.required?.includes(name)) ? 'Required' : 'Only'
    const only = `${condition} ${holders.map(conditionOf).join(' or ')}.`
    return [
      name,
      { ...declared[0]!, description: [declared[0]!.description, only].filter(Boolean).join('. ') },
    ] as const
  })
  const required = names.filter((name) => members.every((member) => member.required?.includes(name)))
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function conditionOf({ properties = {} }: JsonSchema): string {
  const discriminator = Object.entries(properties).find(([, schema]) => schema.const !== undefined)
  return discriminator
    ? `when \`${discriminator[0]}\` is \`${String(discriminator[1].const)}\``
    : `with \`${Object.keys(properties).join('`, `')}\``
}
