/** Between the server and a sandbox process. Each message to the process is answered by one turn. */
export type ToProcess = { type: 'start'; job: Job } | { type: 'hand'; result: HandedResult } | { type: 'end' }

/** All values are JSON texts. */
export type Job =
  | { kind: 'expression'; expression: string; values: string; limits: Limits }
  | {
      kind: 'program'
      code: string
      library: string
      values: string
      tools: readonly string[]
      seed: string
      now: number
      limits: Limits
    }

export interface Limits {
  cpuMs: number
  memoryBytes: number
  calls: number
  callBytes: number
  /** Of all calls. */
  inputBytes: number
  outputBytes: number
  consoleBytes: number
}

/** The program's `number`th call, from 1. */
export interface ProgramCall {
  number: number
  name: string
  /** JSON. */
  input: string
}

export interface HandedResult {
  number: number
  isError: boolean
  /** JSON. An error's text is its member `error`. */
  output: string
  /** The program's clock from now on, in milliseconds. */
  now: number
}

export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

export interface ConsoleLine {
  level: (typeof CONSOLE_LEVELS)[number]
  text: string
}

/** What happened until the program waited for a result or ended. */
export interface Turn {
  calls: ProgramCall[]
  lines: ConsoleLine[]
  /** Once. Unfinished calls may follow it. */
  end: ProgramEnd | null
  /** Of all turns. */
  cpuMs: number
}

export type ProgramEnd = { value: string } | { error: SandboxError }

export const SANDBOX_ERRORS = [
  'syntax',
  'thrown',
  'timeout',
  'memory',
  'not_json',
  'too_many_calls',
  'too_large',
  'stalled',
  'diverged',
  'crashed',
] as const

export interface SandboxError {
  kind: (typeof SANDBOX_ERRORS)[number]
  message: string
  /** In the program's text. */
  line?: number
}
