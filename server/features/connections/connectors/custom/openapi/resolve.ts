import { isObject, type Json } from './read-document.ts'

export class OperationProblem extends Error {}

const REFERENCES_MAX = 20
const DEPTH_MAX = 6
/** Too large for a model anyway. */
const NODES_MAX = 5000
/** Nested references multiply. */
const TOTAL_NODES_MAX = 300_000
const DESCRIPTION_CHARACTERS = 300
const KEYWORDS = [
  'type',
  'enum',
  'const',
  'format',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'required',
]

export interface Source {
  root: Json
  nodesLeft: number
}

export const createSource = (root: Json): Source => ({ root, nodesLeft: TOTAL_NODES_MAX })

/** Never reads other documents. */
export function resolve({ root }: Pick<Source, 'root'>, value: unknown): Json {
  let found = value
  for (let count = 0; isObject(found) && typeof found.$ref === 'string'; count++) {
    const ref = found.$ref
    if (!ref.startsWith('#/'))
      throw new OperationProblem(`It refers to another document: ${ref.slice(0, 100)}`)
    if (count > REFERENCES_MAX) throw new OperationProblem(`${ref.slice(0, 100)} refers to itself`)
    found = ref
      .slice(2)
      .split('/')
      .map((part) => decodePart(part))
      .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root)
    if (found === undefined)
      throw new OperationProblem(`It refers to ${ref.slice(0, 100)}, which does not exist`)
  }
  return isObject(found) ? found : {}
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** A part that is too deep or recursive accepts any value. */
export function inlineSchema(source: Source, schema: unknown): Json {
  let nodes = 0
  const inline = (value: unknown, depth: number, ancestors: readonly unknown[] = []): Json => {
    if (++nodes > NODES_MAX) throw new OperationProblem('Its input is too large')
    if (--source.nodesLeft < 0) throw new OperationProblem('The document is too large to read completely')
    const ref = isObject(value) ? value.$ref : undefined
    if (depth > DEPTH_MAX || (ref !== undefined && ancestors.includes(ref))) return {}
    const inside = ref === undefined ? ancestors : [...ancestors, ref]
    const node = resolve(source, value)
    const kept: Json = Object.fromEntries(
      KEYWORDS.filter((name) => node[name] !== undefined).map((name) => [name, node[name]]),
    )
    const text = toPlainLine(node.description ?? node.title, DESCRIPTION_CHARACTERS)
    if (text) kept.description = text
    // OpenAPI 3.0 writes null as a flag.
    if (node.nullable === true && typeof kept.type === 'string') kept.type = [kept.type, 'null']
    if (isObject(node.properties))
      kept.properties = Object.fromEntries(
        Object.entries(node.properties).map(([name, each]) => [name, inline(each, depth + 1, inside)]),
      )
    if (isObject(node.items)) kept.items = inline(node.items, depth + 1, inside)
    for (const name of ['oneOf', 'anyOf', 'allOf'])
      if (Array.isArray(node[name]))
        kept[name] = (node[name] as unknown[]).map((each) => inline(each, depth + 1, inside))
    return depth === 0 ? mergeAllOf(kept) : kept
  }
  return inline(schema, 0)
}

/** Model providers refuse top-level `allOf`. */
function mergeAllOf({ allOf, ...schema }: Json): Json {
  if (!Array.isArray(allOf)) return schema
  const parts = [schema, ...(allOf as Json[]).map(mergeAllOf)]
  return {
    ...schema,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  }
}

/** One line without invisible characters. */
export const toPlainLine = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value
        .replace(/(?![\u200c\u200d])\p{Cf}|[\u{e0100}-\u{e01ef}]/gu, '')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, max)
        .toWellFormed()
    : ''
