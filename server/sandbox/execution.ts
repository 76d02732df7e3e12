import { parseJson } from './json.ts'
import type { HandedResult, Job, Limits, ProgramCall, SandboxError, Turn } from './messages.ts'
import type { Program, ProgramResult } from './program.ts'
import type { SandboxProcess } from './sandbox-process.ts'

/** Of all results: a replay hands all of them over again. */
const HANDED_BYTES_MAX = 33_554_432
const PARK_FACTOR = 4

/**
 * A program that waits long leaves its process to others. Once a result arrives, it runs again and gets the same
 * results in the same order, as after a crash.
 */
export function createExecution(program: Program, limits: Limits, parkMs: number) {
  const { code, library = '', values = {}, tools, seed, signal } = program
  const job: Job = {
    kind: 'program',
    code,
    library,
    values: JSON.stringify(values),
    tools,
    seed,
    now: program.now.getTime(),
    limits,
  }
  const history: HandedResult[] = []
  const issued: ProgramCall[] = []
  let shownLines = 0
  let handedBytes = 0
  let upcoming: Promise<HandedResult | null> | null = null

  async function run(process: SandboxProcess): Promise<ProgramResult | 'parked'> {
    const progress = { calls: 0, lines: 0 }
    let turn = await process.start(job)
    let { end } = turn
    let failed = await take(turn, progress)
    for (let index = 0; !failed; index++) {
      if (index === history.length) {
        if (history.length === issued.length) return resultOf(end)
        const result = await nextResult(turn.cpuMs)
        if (result === 'parked') return 'parked'
        if (result === null) return { state: 'suspended' }
        handedBytes += Buffer.byteLength(result.output)
        if (handedBytes > HANDED_BYTES_MAX) return failure(TOO_MUCH_DATA)
        history.push(result)
      }
      turn = await process.hand(history[index]!)
      end ??= turn.end
      failed = await take(turn, progress)
    }
    return failed
  }

  /** Passes on what is new. After a replay, nothing before is. */
  async function take(turn: Turn, progress: { calls: number; lines: number }): Promise<ProgramResult | null> {
    signal?.throwIfAborted()
    const known = turn.calls.slice(0, Math.max(0, issued.length - progress.calls))
    const isDiverged = known.some((call, index) => !isSame(call, issued[progress.calls + index]!))
    if (isDiverged) return failure(DIVERGED)
    const calls = turn.calls.slice(known.length)
    const lines = turn.lines.slice(Math.max(0, shownLines - progress.lines))
    progress.calls += turn.calls.length
    progress.lines += turn.lines.length
    shownLines = Math.max(shownLines, progress.lines)
    if (turn.end && 'error' in turn.end && isFatal(turn.end.error)) return failure(turn.end.error)
    issued.push(...calls)
    if (calls.length > 0 || lines.length > 0) await program.onTurn({ calls, lines })
    return null
  }

  async function nextResult(cpuMs: number): Promise<HandedResult | null | 'parked'> {
    upcoming ??= unlessAborted(program.next(), signal)
    const parked = Promise.withResolvers<'parked'>()
    const timeout = setTimeout(() => parked.resolve('parked'), Math.max(parkMs, cpuMs * PARK_FACTOR))
    try {
      const result = await Promise.race([upcoming, parked.promise])
      if (result !== 'parked') upcoming = null
      return result
    } finally {
      clearTimeout(timeout)
    }
  }

  return {
    run,
    /** Waits, without a process, for the result that the program waits for. */
    unpark: async () => {
      await upcoming
    },
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  // The program may be parked when it fails.
  promise.catch(() => {})
  if (signal.aborted) leave()
  return promise
}

const isSame = (call: ProgramCall, other: ProgramCall): boolean =>
  call.number === other.number && call.name === other.name && call.input === other.input

/** Nothing can be handed over afterwards. */
const isFatal = ({ kind }: SandboxError): boolean =>
  kind === 'timeout' || kind === 'memory' || kind === 'crashed'

function resultOf(end: Turn['end']): ProgramResult {
  if (!end) return failure(STALLED)
  return 'error' in end ? failure(end.error) : { state: 'done', value: parseJson(end.value) }
}

const failure = (error: SandboxError): ProgramResult => ({ state: 'failed', error })

export const STALLED: SandboxError = {
  kind: 'stalled',
  message: 'The program waits for something that can never happen',
}
const DIVERGED: SandboxError = {
  kind: 'diverged',
  message: 'The program made other calls when it was repeated',
}
const TOO_MUCH_DATA: SandboxError = {
  kind: 'too_large',
  message: `The program read more than ${HANDED_BYTES_MAX / 1_048_576} MB in all`,
}
