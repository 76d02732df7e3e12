import { OUTPUT_LIMITS, type OutputSchema } from '../../../contract/agents/output-rules.ts'
import { sha256 } from '../../security/digest.ts'
import { compilePattern } from '../../security/re2-pattern.ts'
import { refusePrototype } from '../../security/refuse-prototype.ts'
import { type CompiledPattern, readOutputValue } from './read-value.ts'
import { type StrictNode, toStrictSchema } from './strict-schema.ts'

/** A run's result format, ready to use. The same object for the same schema, while it's cached. */
export interface OutputFormat {
  schema: StrictNode
  read: (text: string) => OutputReading
}

export type OutputReading =
  | { output: unknown; problems: null }
  | { output: null; problems: readonly string[] }

/** A prepared schema takes at most about 1 MB. */
const FORMATS_MAX = 100
const formats = new Map<string, OutputFormat>()

export function outputFormat(schema: OutputSchema): OutputFormat {
  const key = sha256(JSON.stringify(schema)).toString('base64')
  const cached = formats.get(key)
  if (cached) return cached
  const format = prepare(schema)
  if (formats.size >= FORMATS_MAX) formats.delete(formats.keys().next().value!)
  formats.set(key, format)
  return format
}

function prepare(given: OutputSchema): OutputFormat {
  const schema = toStrictSchema(given)
  const compile = createCompiler()
  return {
    schema,
    read: (text) => {
      const parsed = parseAnswer(text)
      if ('problem' in parsed) return { output: null, problems: [parsed.problem] }
      const { value, problems } = readOutputValue(schema, parsed.value, compile)
      return problems.length > 0 ? { output: null, problems } : { output: value, problems: null }
    },
  }
}

/** Compiled when a text needs it. */
function createCompiler() {
  const patterns = new Map<string, CompiledPattern>()
  return (pattern: string): CompiledPattern => {
    const known = patterns.get(pattern)
    if (known) return known
    const regex = compilePattern(pattern)
    const compiled = { matches: (text: string) => regex.matcher(text).find(), size: regex.programSize() }
    patterns.set(pattern, compiled)
    return compiled
  }
}

/** Models without structured output often add a code fence or a sentence. */
function parseAnswer(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { problem: 'The answer is empty' }
  let problem = ''
  for (const candidate of candidates(text)) {
    if (Buffer.byteLength(candidate) > OUTPUT_LIMITS.outputBytes)
      return { problem: `The result is larger than ${OUTPUT_LIMITS.outputBytes / 1024} KB` }
    try {
      return { value: JSON.parse(candidate, refusePrototype) }
    } catch (error) {
      problem ||= `The answer is not one JSON value: ${(error as Error).message.slice(0, 200).toWellFormed()}`
    }
  }
  return { problem }
}

function candidates(text: string): string[] {
  const whole = text.trim()
  const start = whole.indexOf('```')
  const fenced = start === -1 ? '' : whole.slice(whole.indexOf('\n', start) + 1, whole.lastIndexOf('```'))
  const braced = whole.slice(whole.indexOf('{'), whole.lastIndexOf('}') + 1)
  return [...new Set([whole, fenced.trim(), braced])].filter((each) => each !== '')
}
