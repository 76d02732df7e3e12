/** No schemas in this file: the dashboard checks a schema while it's edited. */

/** What the big providers accept in strict mode, with room for models that don't have one. */
export const OUTPUT_LIMITS = {
  schemaBytes: 16_384,
  /** Of objects, lists and alternatives in each other. */
  depth: 10,
  /** Counts what a `$ref` refers to once per use. */
  nodes: 500,
  enumValues: 250,
  /** In all enums together. */
  allEnumValues: 1000,
  alternatives: 10,
  items: 10_000,
  characters: 100_000,
  pattern: 500,
  /** Longer texts with a pattern don't match. */
  patternText: 1000,
  words: 2000,
  outputBytes: 262_144,
  /** How often the model is asked to correct an answer. */
  repairs: 2,
} as const

export type OutputSchema = Record<string, unknown>

export interface SchemaProblem {
  path: (string | number)[]
  /** Follows the path in a sentence. */
  rule: string
}

export const OUTPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
export type OutputType = (typeof OUTPUT_TYPES)[number]

export const OUTPUT_FORMATS = ['date', 'time', 'date-time', 'duration', 'email', 'uri', 'uuid'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

export const OUTPUT_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype']

const WORDS = ['title', 'description']
const KEYWORDS: Record<OutputType, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'],
  boolean: ['enum', 'const'],
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  null: [],
}
const KNOWN = new Set(['type', 'anyOf', '$ref', ...WORDS, ...Object.values(KEYWORDS).flat()])

type Path = SchemaProblem['path']
type Json = Record<string, unknown>

class Refused extends Error {
  readonly path: Path
  constructor(path: Path, rule: string) {
    super(rule)
    this.path = path
  }
}

interface Walk {
  defs: Json
  open: Set<string>
  nodes: number
  enumValues: number
}

/** The first rule that the schema breaks, with the place. Patterns are checked by the server only. */
export function findSchemaProblem(schema: unknown): SchemaProblem | null {
  try {
    checkRoot(schema)
    return null
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { path: error.path, rule: error.message }
  }
}

function checkRoot(schema: unknown): void {
  if (!isObject(schema)) throw new Refused([], 'must be an object')
  const { $schema, $defs, ...root } = schema
  if ($schema !== undefined && $schema !== OUTPUT_DIALECT)
    throw new Refused(['$schema'], `must be ${OUTPUT_DIALECT}`)
  if ($defs !== undefined && !isObject($defs)) throw new Refused(['$defs'], 'must be an object')
  if (root.type !== 'object') throw new Refused(['type'], 'must be object: a result is an object with fields')
  const walk: Walk = { defs: $defs ?? {}, open: new Set(), nodes: 0, enumValues: 0 }
  checkNode(root, [], 1, walk)
  for (const [name, node] of Object.entries(walk.defs)) {
    checkName(name, ['$defs', name])
    checkNode(node, ['$defs', name], 1, walk)
  }
}

function checkNode(node: unknown, path: Path, depth: number, walk: Walk): void {
  if (!isObject(node)) throw new Refused(path, 'must be an object with a type')
  if (depth > OUTPUT_LIMITS.depth)
    throw new Refused(path, `must be nested at most ${OUTPUT_LIMITS.depth} levels deep`)
  if (++walk.nodes > OUTPUT_LIMITS.nodes)
    throw new Refused(
      path,
      `makes the schema too large: it may have ${OUTPUT_LIMITS.nodes} parts, counting each use of a $ref`,
    )
  for (const key of Object.keys(node))
    if (!KNOWN.has(key)) throw new Refused([...path, key], 'is not supported')
  for (const key of WORDS) if (node[key] !== undefined) checkWords(node[key], [...path, key])
  if (node.$ref !== undefined) checkRef(node, path, depth, walk)
  else if (node.anyOf !== undefined) checkAlternatives(node, path, depth, walk)
  else checkTyped(node, path, depth, walk)
}

function checkTyped(node: Json, path: Path, depth: number, walk: Walk): void {
  const type = typeOf(node, path)
  for (const key of Object.keys(node))
    if (key !== 'type' && !WORDS.includes(key) && !KEYWORDS[type].includes(key))
      throw new Refused([...path, key], `does not apply to the type ${type}`)
  checkEnum(node, path, type, walk)
  checkConstraints(node, path, type)
  if (type === 'object') checkProperties(node, path, depth, walk)
  if (type === 'array') checkItems(node, path, depth, walk)
}

function checkRef(node: Json, path: Path, depth: number, walk: Walk): void {
  requireAlone(node, '$ref', path)
  const at = [...path, '$ref']
  const name = typeof node.$ref === 'string' ? /^#\/\$defs\/([^/]+)$/.exec(node.$ref)?.[1] : undefined
  if (name === undefined)
    throw new Refused(at, 'must be #/$defs/ and a name: other references are not followed')
  if (!Object.hasOwn(walk.defs, name)) throw new Refused(at, `refers to ${name}, which $defs does not have`)
  if (walk.open.has(name)) throw new Refused(at, 'refers to itself: providers refuse recursive schemas')
  walk.open.add(name)
  checkNode(walk.defs[name], ['$defs', name], depth, walk)
  walk.open.delete(name)
}

function checkAlternatives(node: Json, path: Path, depth: number, walk: Walk): void {
  requireAlone(node, 'anyOf', path)
  const { alternatives: max } = OUTPUT_LIMITS
  const { anyOf } = node
  if (!Array.isArray(anyOf) || anyOf.length === 0 || anyOf.length > max)
    throw new Refused([...path, 'anyOf'], `must be a list of 1 to ${max} schemas`)
  for (const [index, each] of anyOf.entries()) checkNode(each, [...path, 'anyOf', index], depth + 1, walk)
}

function requireAlone(node: Json, keyword: string, path: Path): void {
  const other = Object.keys(node).find((key) => key !== keyword && !WORDS.includes(key))
  if (other !== undefined) throw new Refused([...path, other], `must be absent beside ${keyword}`)
}

/** Without null. An enum or a constant implies it. */
function typeOf(node: Json, path: Path): OutputType {
  const { type } = node
  const at = [...path, 'type']
  if (type === undefined) {
    const value = Array.isArray(node.enum) ? node.enum.find((each) => each !== null) : node.const
    const implied =
      typeof value === 'string'
        ? 'string'
        : typeof value === 'number'
          ? 'number'
          : typeof value === 'boolean'
            ? 'boolean'
            : null
    if (implied === null) throw new Refused(path, 'must have a type, an enum, a const, anyOf or a $ref')
    return implied
  }
  const types: unknown[] = Array.isArray(type) ? type : [type]
  const unknown = types.find((each) => !OUTPUT_TYPES.includes(each as OutputType))
  if (unknown !== undefined || types.length === 0)
    throw new Refused(at, `must be one of ${OUTPUT_TYPES.join(', ')}`)
  const [first = 'null', ...others] = types.filter((each) => each !== 'null') as OutputType[]
  if (others.length > 0 || new Set(types).size !== types.length)
    throw new Refused(at, 'must be one type, or one type and null: use anyOf for alternatives')
  return first
}

/** Values of an enum or a constant have the node's type. */
function checkEnum(node: Json, path: Path, type: OutputType, walk: Walk): void {
  const isNullable = node.type === undefined || (Array.isArray(node.type) && node.type.includes('null'))
  const rule = `must be of the type ${type}`
  if (node.const !== undefined && !fits(node.const, type, isNullable))
    throw new Refused([...path, 'const'], rule)
  if (node.enum === undefined) return
  const at = [...path, 'enum']
  const { enumValues, allEnumValues } = OUTPUT_LIMITS
  if (!Array.isArray(node.enum) || node.enum.length === 0 || node.enum.length > enumValues)
    throw new Refused(at, `must be a list of 1 to ${enumValues} values`)
  const wrong = node.enum.findIndex((value) => !fits(value, type, isNullable))
  if (wrong !== -1) throw new Refused([...at, wrong], rule)
  if (new Set(node.enum).size !== node.enum.length) throw new Refused(at, 'must not contain duplicates')
  walk.enumValues += node.enum.length
  if (walk.enumValues > allEnumValues)
    throw new Refused(at, `makes the schema too large: all enums may have ${allEnumValues} values`)
}

function fits(value: unknown, type: OutputType, isNullable: boolean): boolean {
  if (value === null) return isNullable
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

function checkConstraints(node: Json, path: Path, type: OutputType): void {
  const number = (key: string, { min, max, isWhole }: { min?: number; max?: number; isWhole?: boolean }) => {
    const value = node[key]
    if (value === undefined) return
    const isInRange =
      Number.isFinite(value) &&
      (value as number) >= (min ?? -Infinity) &&
      (value as number) <= (max ?? Infinity)
    if (!isInRange || (isWhole && !Number.isInteger(value)))
      throw new Refused(
        [...path, key],
        isWhole
          ? `must be a whole number from ${min} to ${max}`
          : `must be a number${min === undefined ? '' : ' greater than 0'}`,
      )
  }
  for (const key of ['minLength', 'maxLength'])
    number(key, { min: 0, max: OUTPUT_LIMITS.characters, isWhole: true })
  for (const key of ['minItems', 'maxItems']) number(key, { min: 0, max: OUTPUT_LIMITS.items, isWhole: true })
  for (const key of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) number(key, {})
  number('multipleOf', { min: Number.MIN_VALUE })
  for (const [low, high] of [
    ['minLength', 'maxLength'],
    ['minItems', 'maxItems'],
    ['minimum', 'maximum'],
  ] as const)
    if (node[low] !== undefined && node[high] !== undefined && (node[low] as number) > (node[high] as number))
      throw new Refused([...path, low], `must be at most ${high}`)
  const { pattern, format } = node
  if (pattern !== undefined && (typeof pattern !== 'string' || pattern.length > OUTPUT_LIMITS.pattern))
    throw new Refused([...path, 'pattern'], `must be a text of at most ${OUTPUT_LIMITS.pattern} characters`)
  if (type === 'string' && format !== undefined && !OUTPUT_FORMATS.includes(format as OutputFormat))
    throw new Refused([...path, 'format'], `must be one of ${OUTPUT_FORMATS.join(', ')}`)
}

function checkProperties(node: Json, path: Path, depth: number, walk: Walk): void {
  const { properties, required = [], additionalProperties = false } = node
  if (!isObject(properties) || Object.keys(properties).length === 0)
    throw new Refused(
      [...path, 'properties'],
      'must name at least one property: open objects are not supported',
    )
  if (additionalProperties !== false) throw new Refused([...path, 'additionalProperties'], 'must be false')
  const isListed = (name: unknown) => typeof name === 'string' && Object.hasOwn(properties, name)
  if (!Array.isArray(required) || new Set(required).size !== required.length)
    throw new Refused([...path, 'required'], 'must be a list of different names')
  const missing = required.findIndex((name) => !isListed(name))
  if (missing !== -1) throw new Refused([...path, 'required', missing], 'must be one of the properties')
  for (const [name, child] of Object.entries(properties)) {
    checkName(name, [...path, 'properties', name])
    checkNode(child, [...path, 'properties', name], depth + 1, walk)
  }
}

function checkName(name: string, path: Path): void {
  if (!NAME.test(name) || FORBIDDEN_NAMES.includes(name))
    throw new Refused(path, 'must have a name of 1 to 64 letters, digits, dots, hyphens and underscores')
}

function checkItems(node: Json, path: Path, depth: number, walk: Walk): void {
  if (node.items === undefined) throw new Refused([...path, 'items'], 'is required for a list')
  checkNode(node.items, [...path, 'items'], depth + 1, walk)
}

function checkWords(value: unknown, path: Path): void {
  if (typeof value !== 'string' || value.length > OUTPUT_LIMITS.words)
    throw new Refused(path, `must be a text of at most ${OUTPUT_LIMITS.words} characters`)
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
