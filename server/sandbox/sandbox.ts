import { createSemaphore } from '../concurrency/semaphore.ts'
import { createExecution, STALLED } from './execution.ts'
import { parseJson } from './json.ts'
import type { Job, Limits, SandboxError, Turn } from './messages.ts'
import type { Program, ProgramResult } from './program.ts'
import { createProcesses, type ProcessLimits } from './sandbox-process.ts'

export type { ConsoleLine, HandedResult, ProgramCall, SandboxError } from './messages.ts'
export type { Program, ProgramResult } from './program.ts'

export const PROGRAM_LIMITS: Limits = {
  cpuMs: 30_000,
  memoryBytes: 67_108_864,
  calls: 500,
  callBytes: 1_048_576,
  inputBytes: 33_554_432,
  outputBytes: 1_048_576,
  consoleBytes: 65_536,
}
export const EXPRESSION_MS = 10

interface PoolLimits {
  permits: number
  permitsPerKey: number
  waitingMax: number
  waitingPerKeyMax: number
  waitMs: number
}

export interface SandboxOptions {
  programs?: Partial<PoolLimits>
  expressions?: Partial<PoolLimits>
  process?: Partial<ProcessLimits>
  /** A program that waits longer than this, and than four times its computing time, leaves its process. */
  parkMs?: number
}

const PROGRAMS: PoolLimits = {
  permits: 4,
  permitsPerKey: 2,
  waitingMax: 64,
  waitingPerKeyMax: 16,
  waitMs: 60_000,
}
const EXPRESSIONS: PoolLimits = {
  permits: 2,
  permitsPerKey: 1,
  waitingMax: 1000,
  waitingPerKeyMax: 250,
  waitMs: 30_000,
}
const PROCESS: ProcessLimits = {
  heapMegabytes: 256,
  residentBytes: 536_870_912,
  graceMs: 10_000,
  slowdown: 4,
  idleMs: 60_000,
}
const PARK_MS = 1000

export interface Expression {
  orgId: string
  /** A JavaScript expression. Strict mode, without `await`. */
  expression: string
  /** JSON values by variable name. */
  values: Readonly<Record<string, unknown>>
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

export type Evaluated = { value: unknown } | { error: SandboxError }

export type Sandbox = ReturnType<typeof createSandbox>

/**
 * Runs untrusted JavaScript in QuickJS, compiled to WebAssembly, inside processes without network, files and
 * environment. Organizations take turns. Every failure of the code is a value.
 */
export function createSandbox(options: SandboxOptions = {}) {
  const processes = createProcesses({ ...PROCESS, ...options.process })
  const programs = createSemaphore({ name: 'programs', ...PROGRAMS, ...options.programs })
  const expressions = createSemaphore({ name: 'expressions', ...EXPRESSIONS, ...options.expressions })
  const parkMs = options.parkMs ?? PARK_MS

  /** Waits for its turn, then evaluates within `timeoutMs` of computing time. */
  async function evaluate({ orgId, expression, values, timeoutMs = EXPRESSION_MS, signal }: Expression) {
    const limits = { ...PROGRAM_LIMITS, cpuMs: timeoutMs, calls: 0 }
    const job: Job = { kind: 'expression', expression, values: JSON.stringify(values), limits }
    const work = () => processes.use(signal, (process) => process.start(job))
    const { end } = await expressions.run(orgId, work, signal)
    signal?.throwIfAborted()
    return evaluated(end)
  }

  async function runProgram(program: Program): Promise<ProgramResult> {
    const execution = createExecution(program, { ...PROGRAM_LIMITS, ...program.limits }, parkMs)
    for (;;) {
      const work = () => processes.use(program.signal, execution.run)
      const result = await programs.run(program.orgId, work, program.signal)
      program.signal?.throwIfAborted()
      if (result !== 'parked') return result
      await execution.unpark()
    }
  }

  return { evaluate, runProgram, close: processes.close }
}

let shared: Sandbox | undefined

/** Of this process. Its processes start when they are needed, and end when they are idle. */
export const sandbox = (): Sandbox => {
  shared ??= createSandbox()
  return shared
}

const evaluated = (end: Turn['end']): Evaluated => {
  if (!end) return { error: STALLED }
  return 'error' in end ? end : { value: parseJson(end.value) }
}
