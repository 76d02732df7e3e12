import { EXIT_CODES, explain, Failure } from '../../failure.ts'
import { printData, printMessage } from '../../terminal.ts'
import { createDisplay, type Outcome, type Totals } from './display.ts'
import { formatBytes } from './sizes.ts'
import type { Meter } from './transfer.ts'

export interface Task {
  path: string
  local: string
  size: number
  run: (transfer: { signal: AbortSignal; meter: Meter }) => Promise<Partial<Outcome>>
}

interface QueueOptions {
  server: string
  json?: boolean
  parallel: number
  /** `uploaded`, `downloaded`. */
  verb: string
  /** For the --json output; null if the caller prints the data. */
  extraFields?: object | null
}

/** Records failures and continues with the rest. */
export function createTransferQueue({ server, json = false, parallel, verb, extraFields }: QueueOptions) {
  const outcomes: Outcome[] = []
  const totals: Totals = { files: 0, bytes: 0, filesDone: 0, bytesDone: 0 }
  const display = createDisplay(json, verb, totals)

  const add = (outcome: Outcome) => {
    outcomes.push(outcome)
    display.showOutcome(outcome)
  }

  async function runTask(task: Task, abort: AbortController): Promise<void> {
    const { path, local, size } = task
    const bar = display.begin(path, size)
    try {
      const fields = await task.run({ signal: abort.signal, meter: bar })
      add({ path, local, size, status: 'done', ...fields })
    } catch (error) {
      if (abort.signal.aborted) return
      abortOnThrow(abort, () => fail({ path, local, size }, error))
    } finally {
      bar.end()
      totals.filesDone++
      totals.bytesDone += size
    }
  }

  /** Records a failure, or throws it if it affects every file. */
  function fail(target: { path: string; local: string; size?: number }, error: unknown): void {
    const { kind, message } = explain(error, server)
    if (FATAL_KINDS.has(kind)) throw error
    add({ size: 0, ...target, status: 'failed', note: message })
  }

  return {
    fail,
    add,
    expect(files: number, bytes: number) {
      totals.files += files
      totals.bytes += bytes
    },
    /** Throws if a file failed, for the exit code. */
    async run(tasks: AsyncIterable<Task> | Iterable<Task>): Promise<Outcome[]> {
      const abort = new AbortController()
      const fatal = await inParallel(tasks, parallel, (task) => runTask(task, abort))
        .then(() => null)
        .catch((error: unknown) => explain(error, server))
      display.close()
      report(fatal)
      return outcomes
    },
  }

  function report(fatal: Failure | null): void {
    const counts = { done: 0, skipped: 0, failed: 0, bytes: 0 }
    for (const { status, size } of outcomes) {
      counts[status]++
      if (status === 'done') counts.bytes += size
    }
    const { done, skipped, failed, bytes } = counts
    const isData = json && extraFields !== null
    if (isData) printData({ server, ...extraFields, ...counts, items: outcomes })
    else if (!json)
      printMessage(`${done} ${verb} (${formatBytes(bytes)}), ${skipped} skipped, ${failed} failed`)
    if (fatal) throw fatal
    if (failed > 0 && isData) process.exitCode = EXIT_CODES.failed
    else if (failed > 0)
      throw new Failure(
        'failed',
        `${failed} could not be ${verb}`,
        'Run the command again; finished files are skipped.',
      )
  }
}

function abortOnThrow(abort: AbortController, action: () => void): void {
  try {
    action()
  } catch (error) {
    abort.abort()
    throw error
  }
}

/** Affect every file: missing key, missing scope, unreachable server. */
const FATAL_KINDS: ReadonlySet<string> = new Set(['not signed in', 'refused', 'unreachable'])

/** Rejects with the first error, once running tasks have settled. */
async function inParallel<T>(
  tasks: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (task: T) => Promise<void>,
): Promise<void> {
  const iterator = iterate(tasks)
  let hasFailed = false
  const worker = async () => {
    try {
      while (!hasFailed) {
        const next = await iterator.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const results = await Promise.allSettled(Array.from({ length: limit }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function* iterate<T>(tasks: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* tasks
}
