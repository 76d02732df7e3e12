import { once } from 'node:events'
import { join } from 'node:path'
import { forkConfined, watchComputing, watchMemory } from '../processes/confined-process.ts'
import type { HandedResult, Job, SandboxError, ToProcess, Turn } from './messages.ts'

export interface ProcessLimits {
  heapMegabytes: number
  /** Enforced where /proc exists. */
  residentBytes: number
  /** How long a turn may take beyond its computing time: other processes may need the machine. */
  graceMs: number
  slowdown: number
  idleMs: number
}

/** For starting, and for collecting garbage. */
const COMPUTING_GRACE_MS = 3000
const PROGRAM = join(import.meta.dirname, 'sandbox-program.ts')

export interface SandboxProcess {
  /** The process's machine starts the job. A failed turn leaves the process unusable. */
  start: (job: Job) => Promise<Turn>
  hand: (result: HandedResult) => Promise<Turn>
}

/** Runs one job at a time per process. A process isn't reused after a failure, nor after its job was given up. */
export function createProcesses(limits: ProcessLimits) {
  const idle: Worker[] = []

  async function use<T>(signal: AbortSignal | undefined, work: (process: SandboxProcess) => Promise<T>) {
    signal?.throwIfAborted()
    const worker = takeIdle() ?? startWorker(limits)
    const stop = () => worker.fail()
    signal?.addEventListener('abort', stop, { once: true })
    let isClean = false
    try {
      const result = await work(worker)
      isClean = worker.isHealthy() && !signal?.aborted
      return result
    } finally {
      signal?.removeEventListener('abort', stop)
      if (isClean) returnToPool(worker)
      else await worker.end()
    }
  }

  function takeIdle(): Worker | undefined {
    const worker = idle.pop()
    return worker === undefined || worker.isHealthy() ? worker : takeIdle()
  }

  function returnToPool(worker: Worker) {
    worker.clear()
    idle.push(worker)
    setTimeout(() => {
      const index = idle.indexOf(worker)
      if (index !== -1) void idle.splice(index, 1)[0]!.end()
    }, limits.idleMs).unref()
  }

  return {
    use,
    close: async (): Promise<void> => {
      await Promise.all(idle.splice(0).map((worker) => worker.end()))
    },
  }
}

type Worker = ReturnType<typeof startWorker>

function startWorker(limits: ProcessLimits) {
  const { child, isAlive, end } = forkConfined(PROGRAM, {
    heapMegabytes: limits.heapMegabytes,
    // The process needs no code from texts, and an escape could not make any.
    flags: ['--disallow-code-generation-from-strings', '--disable-proto=throw', '--stack-size=3900'],
  })
  const failed = Promise.withResolvers<SandboxError>()
  let isFailed = false
  let cpuLimitMs = 0
  let usedMs = 0
  const fail = (error: SandboxError = CRASHED) => {
    isFailed = true
    failed.resolve(error)
  }
  child.once('exit', () => fail()).once('error', () => fail())

  async function turnAfter(message: ToProcess): Promise<Turn> {
    const stop = new AbortController()
    const waitMs = (cpuLimitMs - usedMs) * limits.slowdown + limits.graceMs
    const timer = setTimeout(() => fail(STUCK), waitMs)
    const stopWatching = [
      watchMemory(child, limits.residentBytes, () => fail(TOO_LARGE)),
      // The engine doesn't interrupt an endless chain of short jobs.
      watchComputing(child, cpuLimitMs - usedMs + COMPUTING_GRACE_MS, () => fail(STUCK)),
    ]
    try {
      const answered = once(child, 'message', stop).then(([turn]) => turn as Turn)
      answered.catch(() => {})
      if (child.connected) child.send(message, () => {})
      const turn = await Promise.race([answered, failed.promise.then(failedTurn)])
      usedMs = turn.cpuMs
      if (isFatal(turn)) isFailed = true
      return turn
    } finally {
      stop.abort()
      clearTimeout(timer)
      for (const stopEach of stopWatching) stopEach()
    }
  }

  return {
    isHealthy: () => !isFailed && isAlive(),
    fail: () => fail(),
    start(job: Job) {
      cpuLimitMs = job.limits.cpuMs
      usedMs = 0
      return turnAfter({ type: 'start', job })
    },
    hand: (result: HandedResult) => turnAfter({ type: 'hand', result }),
    clear() {
      if (child.connected) child.send({ type: 'end' } satisfies ToProcess, () => {})
    },
    end,
  }
}

const isFatal = ({ end }: Turn): boolean =>
  end !== null &&
  'error' in end &&
  (end.error.kind === 'timeout' || end.error.kind === 'memory' || end.error.kind === 'crashed')

const failedTurn = (error: SandboxError): Turn => ({ calls: [], lines: [], end: { error }, cpuMs: 0 })

const CRASHED: SandboxError = { kind: 'crashed', message: 'The sandbox process ended' }
const STUCK: SandboxError = { kind: 'timeout', message: 'The code did not stop in time' }
const TOO_LARGE: SandboxError = { kind: 'memory', message: 'The code needed too much memory' }
