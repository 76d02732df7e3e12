import { EXIT_CODES, explain, Failure } from '../failure.ts'
import { printData, printMessage } from '../terminal.ts'
import type { Totals } from './bars.ts'
import { createDisplay, type Outcome } from './display.ts'
import { inParallel } from './parallel.ts'
import { formatBytes } from './sizes.ts'
import type { Meter } from './transfer.ts'

/** One file to transfer. `move` returns the outcome. */
export interface Task {
  path: string
  local: string
  size: number
  move: (course: { signal: AbortSignal; meter: Meter }) => Promise<Partial<Outcome>>
}

interface JournalOptions {
  server: string
  json?: boolean
  parallel: number
  /** `uploaded`, `downloaded`. */
  verb: string
  /** Extra fields of the --json output; null if the caller prints the data. */
  about?: object | null
}

/** Runs the transfer of many files: records failures and continues with the rest. */
export function createTransferQueue({ server, json = false, parallel, verb, about }: JournalOptions) {
  const outcomes: Outcome[] = []
  const totals: Totals = { files: 0, bytes: 0, filesDone: 0, bytesDone: 0 }
  const display = createDisplay(json, verb, totals)

  const add = (outcome: Outcome) => {
    outcomes.push(outcome)
    display.finished(outcome)
  }

  async function perform(task: Task, called: AbortController): Promise<void> {
    const { path, local, size } = task
    const bar = display.begin(path, size)
    try {
      const added = await task.move({ signal: called.signal, meter: bar })
      add({ path, local, size, status: 'done', ...added })
    } catch (error) {
      if (called.signal.aborted) return
      callOffIf(called, () => fail({ path, local, size }, error))
    } finally {
      bar.end()
      totals.filesDone++
      totals.bytesDone += size
    }
  }

  /** Records a failure, unless it would hit every other file as well. */
  function fail(what: { path: string; local: string; size?: number }, error: unknown): void {
    const { kind, message } = explain(error, server)
    if (FOR_ALL.has(kind)) throw error
    add({ size: 0, ...what, status: 'failed', note: message })
  }

  return {
    fail,
    add,
    expect(files: number, bytes: number) {
      totals.files += files
      totals.bytes += bytes
    },
    /** Runs the tasks and prints a summary; throws if a file failed, for the exit code. */
    async run(tasks: AsyncIterable<Task> | Iterable<Task>): Promise<Outcome[]> {
      const called = new AbortController()
      const over = await inParallel(tasks, parallel, (task) => perform(task, called))
        .then(() => null)
        .catch((error: unknown) => explain(error, server))
      display.close()
      report(over)
      return outcomes
    },
  }

  function report(over: Failure | null): void {
    const counts = { done: 0, skipped: 0, failed: 0, bytes: 0 }
    for (const { status, size } of outcomes) {
      counts[status]++
      if (status === 'done') counts.bytes += size
    }
    const { done, skipped, failed, bytes } = counts
    const isData = json && about !== null
    if (isData) printData({ server, ...about, ...counts, items: outcomes })
    else if (!json)
      printMessage(`${done} ${verb} (${formatBytes(bytes)}), ${skipped} skipped, ${failed} failed`)
    if (over) throw over
    if (failed > 0 && isData) process.exitCode = EXIT_CODES.failed
    else if (failed > 0)
      throw new Failure(
        'failed',
        `${failed} could not be ${verb}`,
        'Run the command again; finished files are skipped.',
      )
  }
}

function callOffIf(called: AbortController, throws: () => void): void {
  try {
    throws()
  } catch (error) {
    called.abort()
    throw error
  }
}

/** Failures that hit every file: missing key, missing scope, unreachable server. */
const FOR_ALL: ReadonlySet<string> = new Set(['not signed in', 'refused', 'unreachable'])
