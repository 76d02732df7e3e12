export type ScriptLine =
  | { command: 'say'; text: string }
  /** `input` is JSON. */
  | { command: 'call'; tool: string; input: string }
  | { command: 'wait'; ms: number }
  | { command: 'fail'; status: number }
  | { command: 'cut' }

type ParsedScript = { kind: 'script'; parts: ScriptLine[][] } | { kind: 'malformed'; problem: string }

const WAIT_MAX_MS = 600_000
const TOOL_NAME = /^[\w.-]{1,128}$/
const LINE_SHOWN_MAX = 100

/** The first block marked `script`. An unclosed one ends with the text. */
export function findScript(text: string): string | null {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((line) => OPENING.test(line))
  if (start === -1) return null
  const fence = OPENING.exec(lines[start]!)![1]!
  const linesBelow = lines.slice(start + 1)
  const end = linesBelow.findIndex((line) => isClosing(line, fence))
  return (end === -1 ? linesBelow : linesBelow.slice(0, end)).join('\n')
}

const OPENING = /^ {0,3}(`{3,}|~{3,})[ \t]*script[ \t]*$/

/** The closing fence uses the same character and is at least as long. */
function isClosing(line: string, fence: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length)
}

/** Each part is one model call. */
export function parseScript(source: string): ParsedScript {
  const parts: ScriptLine[][] = []
  let part: ScriptLine[] = []
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.trimStart()
    if (line.trim() === '') continue
    if (line.trim() === '---') {
      parts.push(part)
      part = []
      continue
    }
    const parsed = parseLine(line)
    if (typeof parsed === 'string') return { kind: 'malformed', problem: problemAt(index + 1, line, parsed) }
    part.push(parsed)
  }
  if (part.length > 0) parts.push(part)
  return { kind: 'script', parts }
}

function parseLine(line: string): ScriptLine | string {
  const [, command = '', argument = ''] = /^(\S+) ?(.*)$/s.exec(line) ?? []
  if (command === 'say') return { command, text: argument }
  if (command === 'call') return parseCall(argument.trim())
  if (command === 'wait') return parseWait(argument.trim())
  if (command === 'fail') return parseFail(argument.trim())
  if (command === 'cut') return argument.trim() === '' ? { command } : '`cut` takes no argument'
  return 'a line must begin with `say`, `call`, `wait`, `fail` or `cut`, or be `---`'
}

function parseCall(argument: string): ScriptLine | string {
  const [, tool = '', json = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? []
  if (!TOOL_NAME.test(tool)) return '`call` needs a tool name: `call read_file {"id":"…"}`'
  const input = json || '{}'
  return isJsonObject(input)
    ? { command: 'call', tool, input }
    : 'the `call` input must be a JSON object on one line'
}

function parseWait(argument: string): ScriptLine | string {
  const ms = Number(argument)
  const isValid = /^\d+$/.test(argument) && ms <= WAIT_MAX_MS
  return isValid ? { command: 'wait', ms } : `\`wait\` needs milliseconds, at most ${WAIT_MAX_MS}`
}

function parseFail(argument: string): ScriptLine | string {
  return /^[45]\d\d$/.test(argument)
    ? { command: 'fail', status: Number(argument) }
    : '`fail` needs an HTTP status from 400 to 599'
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function problemAt(number: number, line: string, problem: string): string {
  const excerpt = line.length > LINE_SHOWN_MAX ? `${line.slice(0, LINE_SHOWN_MAX).toWellFormed()}…` : line
  return `Script line ${number} is not valid: ${problem}. The line is: ${excerpt.trimEnd()}`
}
