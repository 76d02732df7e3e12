import type { OutputFormat, OutputSchema, OutputType } from '../../../contract/agents/output-rules.ts'

/** Without references: every object names all its properties, those that are required first. */
export interface StrictNode {
  title?: string
  description?: string
  type?: OutputType | OutputType[]
  anyOf?: StrictNode[]
  enum?: Scalar[]
  const?: Scalar
  properties?: Record<string, StrictNode>
  required?: string[]
  additionalProperties?: false
  items?: StrictNode
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: OutputFormat
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}

export type Scalar = string | number | boolean | null

/**
 * For a schema that follows the contract's rules, which bound its size. Models write properties in the order they read,
 * and `jsonb` doesn't keep that of `properties`.
 */
export function toStrictSchema({ $schema: _dialect, $defs = {}, ...root }: OutputSchema): StrictNode {
  const defs = $defs as Record<string, object>
  const expand = (given: object): StrictNode => {
    const { $ref, ...node } = given as StrictNode & { $ref?: string }
    if ($ref !== undefined) return { ...expand(defs[$ref.slice('#/$defs/'.length)]!), ...node }
    if (node.anyOf) return { ...node, anyOf: node.anyOf.map(expand) }
    if (node.items) return { ...node, items: expand(node.items) }
    if (!node.properties) return node.type === undefined ? { type: impliedType(node), ...node } : node
    const { properties, required = [] } = node
    const names = [...new Set([...required, ...Object.keys(properties)])]
    return {
      ...node,
      properties: Object.fromEntries(names.map((name) => [name, expand(properties[name]!)])),
      required,
      additionalProperties: false,
    }
  }
  return expand(root)
}

/** Of an enum or a constant. */
function impliedType({ enum: values, const: constant }: StrictNode): OutputType | OutputType[] {
  const all = values ?? [constant!]
  const type = typeof all.find((value) => value !== null) as OutputType
  return all.includes(null) ? [type, 'null'] : type
}

export const typesOf = ({ type }: StrictNode): readonly OutputType[] =>
  type === undefined ? [] : Array.isArray(type) ? type : [type]

export const isNullable = (node: StrictNode): boolean =>
  node.anyOf?.some(isNullable) ?? (typesOf(node).includes('null') && (node.enum?.includes(null) ?? true))
