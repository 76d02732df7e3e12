import { z } from 'zod'
import { OUTPUT_LIMITS, type OutputFormat } from '../../../contract/agents/output-rules.ts'
import { isNullable, type Scalar, type StrictNode, typesOf } from './strict-schema.ts'

/** More would fill the prompt. */
const PROBLEMS_MAX = 10
/** About 0.3 s. An answer of 256 KB takes some 100,000. */
const CHECKS_MAX = 500_000

export interface CompiledPattern {
  matches: (text: string) => boolean
  /** Time per character. */
  size: number
}

type Compile = (pattern: string) => CompiledPattern

/** What takes as long as one check. */
const VALUES_PER_CHECK = 10
const STEPS_PER_CHECK = 5
/** Names in the format aren’t longer. */
const NAME_MAX = 64
const TOO_MANY = 'has too many parts to check'

function spend({ left }: Reading, checks: number): boolean {
  left.checks -= checks
  return left.checks >= 0
}

interface Reading {
  problems: string[]
  /** Shared by all alternatives. */
  left: { checks: number }
  compile: Compile
}

/**
 * The value without nulls that stand for absent properties, or why it doesn't match. Interprets the schema: nothing of
 * it becomes code, and the number of checks is bounded, which libraries don't offer.
 */
export function readOutputValue(
  schema: StrictNode,
  value: unknown,
  compile: Compile,
): { value: unknown; problems: readonly string[] } {
  const reading: Reading = { problems: [], left: { checks: CHECKS_MAX }, compile }
  const read = readNode(schema, value, '', reading)
  return { value: read, problems: reading.problems }
}

function readNode(node: StrictNode, value: unknown, path: string, reading: Reading): unknown {
  if (reading.problems.length >= PROBLEMS_MAX) return value
  if (!spend(reading, 1 + (node.enum?.length ?? 0) / VALUES_PER_CHECK))
    return refuse(TOO_MANY, path, value, reading)
  if (node.anyOf) return readAlternatives(node.anyOf, value, path, reading)
  const types = typesOf(node)
  if (value === null && isNullable(node)) return null
  const type = types.find((each) => each !== 'null')
  const problem = typeProblem(type, value)
  if (problem !== null) return refuse(problem, path, value, reading)
  if (node.const !== undefined && value !== node.const)
    return refuse(`must be ${JSON.stringify(node.const)}`, path, value, reading)
  if (node.enum && !node.enum.includes(value as Scalar))
    return refuse(`must be one of ${listValues(node.enum)}`, path, value, reading)
  if (typeof value === 'string') return check(textProblem(node, value, reading), path, value, reading)
  if (typeof value === 'number') return check(numberProblem(node, value), path, value, reading)
  if (Array.isArray(value)) return readItems(node, value, path, reading)
  if (typeof value === 'object' && value !== null)
    return readProperties(node, value as Record<string, unknown>, path, reading)
  return value
}

function typeProblem(type: string | undefined, value: unknown): string | null {
  if (type === 'array') return Array.isArray(value) ? null : 'must be a list'
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object'
  if (type === 'integer') return Number.isSafeInteger(value) ? null : 'must be a whole number'
  if (type === 'number') return Number.isFinite(value) ? null : 'must be a number'
  if (type === 'string') return typeof value === 'string' ? null : 'must be a text'
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false'
  return 'must be null'
}

/** The problems of the alternative that comes closest, which the model most likely meant. */
function readAlternatives(
  nodes: readonly StrictNode[],
  value: unknown,
  path: string,
  reading: Reading,
): unknown {
  let closest: string[] | null = null
  for (const node of nodes) {
    const attempt: Reading = { ...reading, problems: [] }
    const read = readNode(node, value, path, attempt)
    if (attempt.problems.length === 0) return read
    const isSameType = typesOf(node).some((type) => typeProblem(type, value) === null)
    if (isSameType && (closest === null || attempt.problems.length < closest.length))
      closest = attempt.problems
  }
  if (closest === null) return refuse('matches none of the alternatives', path, value, reading)
  reading.problems.push(...closest)
  return value
}

function readItems(node: StrictNode, items: readonly unknown[], path: string, reading: Reading): unknown {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node
  if (items.length < minItems) refuse(`must have at least ${minItems} entries`, path, items, reading)
  if (items.length > maxItems) return refuse(`must have at most ${maxItems} entries`, path, items, reading)
  return items.map((item, index) => readNode(node.items!, item, `${path}[${index}]`, reading))
}

function readProperties(
  { properties = {}, required = [] }: StrictNode,
  value: Record<string, unknown>,
  path: string,
  reading: Reading,
): unknown {
  const read: Record<string, unknown> = {}
  const names = Object.keys(value)
  if (!spend(reading, names.length + required.length)) return refuse(TOO_MANY, path, value, reading)
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  for (const name of required) if (!Object.hasOwn(value, name)) refuse('is missing', at(name), value, reading)
  for (const name of names) {
    const node = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!node) refuse('is not part of the format', at(name.slice(0, NAME_MAX)), value, reading)
    // Providers whose strict mode has no optional properties send null instead.
    else if (value[name] !== null || required.includes(name) || isNullable(node))
      read[name] = readNode(node, value[name], at(name), reading)
  }
  return read
}

function textProblem(node: StrictNode, text: string, reading: Reading): string | null {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = node
  if (minLength > 0 || maxLength < text.length) {
    const length = countCharacters(text)
    if (length < minLength) return `must have at least ${minLength} characters`
    if (length > maxLength) return `must have at most ${maxLength} characters`
  }
  if (format !== undefined && !hasFormat(text, format)) return `must be a valid ${format}`
  if (pattern === undefined) return null
  if (text.length > OUTPUT_LIMITS.patternText)
    return `must have at most ${OUTPUT_LIMITS.patternText} characters, because it has a pattern`
  const compiled = reading.compile(pattern)
  if (!spend(reading, (text.length * compiled.size) / STEPS_PER_CHECK)) return TOO_MANY
  return compiled.matches(text) ? null : `must match the pattern ${pattern}`
}

function numberProblem(node: StrictNode, value: number): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `must be greater than ${exclusiveMinimum}`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return `must be less than ${exclusiveMaximum}`
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return `must be a multiple of ${multipleOf}`
  return null
}

/** 0.3 is a multiple of 0.1, although doubles divide to 2.9999999999999996. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * 8 * Math.max(1, Math.abs(quotient))
}

/** As JSON Schema counts: by code point. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const LISTED_MAX = 20
const listValues = (values: readonly Scalar[]) =>
  values
    .slice(0, LISTED_MAX)
    .map((value) => JSON.stringify(value))
    .join(', ') + (values.length > LISTED_MAX ? ', …' : '')

const check = (problem: string | null, path: string, value: unknown, reading: Reading): unknown =>
  problem === null ? value : refuse(problem, path, value, reading)

function refuse(problem: string, path: string, value: unknown, { problems }: Reading): unknown {
  if (problems.length < PROBLEMS_MAX) problems.push(`${path === '' ? 'The result' : path} ${problem}`)
  return value
}

/** No format needs more. */
const FORMAT_CHARACTERS_MAX = 2000

const DURATION = /^P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$/

const FORMATS: Record<Exclude<OutputFormat, 'duration' | 'uri'>, z.ZodType> = {
  date: z.iso.date(),
  time: z.iso.time(),
  'date-time': z.iso.datetime({ offset: true }),
  email: z.email(),
  uuid: z.guid(),
}

function hasFormat(text: string, format: OutputFormat): boolean {
  if (text.length > FORMAT_CHARACTERS_MAX) return false
  if (format === 'duration') return DURATION.test(text)
  if (format === 'uri') return URL.canParse(text)
  // JSON Schema's times have an offset, which ISO allows to omit.
  const isoText = format === 'time' ? text.replace(/(Z|[+-]\d\d:\d\d)$/i, '') : text
  return FORMATS[format].safeParse(isoText).success
}
