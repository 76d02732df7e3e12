import type { ConsoleLine, HandedResult, Limits, ProgramCall, SandboxError } from './messages.ts'

export interface Program {
  orgId: string
  /** The body of an async function. */
  code: string
  /** A trusted function's source: gets `call(name, input)` and `define(name, value)`. */
  library?: string
  /** JSON values by global name. */
  values?: Readonly<Record<string, unknown>>
  /** Callable as `tools.<name>(input)`. */
  tools: readonly string[]
  /** The same seed, time and results in the same order lead to the same calls. */
  seed: string
  now: Date
  limits?: Partial<Limits>
  signal?: AbortSignal | undefined
  /** What the program did since the last result. What it throws ends the program. */
  onTurn: (turn: { calls: readonly ProgramCall[]; lines: readonly ConsoleLine[] }) => Promise<void> | void
  /**
   * The next result for the program, asked for while calls are unfinished. Null suspends it: run it again later with
   * the same results in the same order.
   */
  next: () => Promise<HandedResult | null>
}

export type ProgramResult =
  | { state: 'done'; value: unknown }
  | { state: 'failed'; error: SandboxError }
  | { state: 'suspended' }
