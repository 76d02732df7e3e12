import { MCP_LIMITS } from '../../contract/agents/mcp-server-options.ts'
import { exceedsDepth } from '../security/json-depth.ts'

const { schemaBytes, schemaDepth } = MCP_LIMITS
const PROPERTY = /^[A-Za-z0-9_.-]{1,64}$/
/** Model providers reject these at the schema's top level. */
const REFUSED_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'enum', 'not']
const REFUSED = ['$dynamicRef', '$recursiveRef']

type Json = Record<string, unknown>

export function sizeProblem(schema: Json): string | null {
  if (exceedsDepth(schema, schemaDepth))
    return `The input schema is nested more than ${schemaDepth} levels deep`
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaBytes)
    return `The input schema is larger than ${schemaBytes / 1024} KB`
  return null
}

/** Null if model providers would accept it. Check the size first. */
export function schemaProblem(schema: Json): string | null {
  if (schema.type !== 'object') return 'The input schema is not an object'
  const top = REFUSED_AT_TOP.find((key) => key in schema)
  if (top) return `The input schema has ${top} at its top level, which model providers refuse`
  return nodeProblem(schema, schema, new Map())
}

/** An open reference contains itself. Follows each once, because nested references multiply. */
function nodeProblem(root: Json, node: unknown, refs: Map<string, 'open' | 'done'>): string | null {
  if (Array.isArray(node)) return firstOf(node.map((each) => () => nodeProblem(root, each, refs)))
  if (typeof node !== 'object' || node === null) return null
  const schema = node as Json
  const refused = REFUSED.find((key) => key in schema)
  if (refused) return `The input schema uses ${refused}`
  const { $ref: ref, properties } = schema
  if (typeof ref === 'string') {
    const problem = refProblem(root, ref, refs)
    if (problem) return problem
  }
  if (typeof properties === 'object' && properties !== null) {
    const refusedName = Object.keys(properties).find((name) => !PROPERTY.test(name))
    if (refusedName !== undefined)
      return `Model providers refuse the property name ${JSON.stringify(refusedName.slice(0, 100))}`
  }
  return firstOf(Object.values(schema).map((child) => () => nodeProblem(root, child, refs)))
}

function refProblem(root: Json, ref: string, refs: Map<string, 'open' | 'done'>): string | null {
  const state = refs.get(ref)
  if (state === 'done') return null
  if (state === 'open' || ref === '#') return `The input schema refers to itself through ${ref.slice(0, 100)}`
  const target = resolve(root, ref)
  if (target === undefined)
    return `The input schema refers to ${ref.slice(0, 100)}, which it does not contain`
  refs.set(ref, 'open')
  const problem = nodeProblem(root, target, refs)
  refs.set(ref, 'done')
  return problem
}

function firstOf(checks: (() => string | null)[]): string | null {
  for (const check of checks) {
    const problem = check()
    if (problem) return problem
  }
  return null
}

function resolve(root: Json, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  let value: unknown = root
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Json)[key]
  }
  return value
}
