import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome, RenderJob } from './job.ts'

export interface RendererLimits {
  /** Time limit per file, measured after the whole file has been sent. */
  timeMs: number
  /** Limit of the JavaScript heap. */
  heapMegabytes: number
  /** Limit of the resident memory, buffers included. Enforced where /proc exists. */
  residentBytes: number
}

export type Renderer = ReturnType<typeof startRenderer>

const MEMORY_POLL_MS = 50
const PROJECT = join(import.meta.dirname, '../../../../..')

/**
 * A child process that renders one file at a time. Not a worker thread: a thread that runs out of memory in one large
 * allocation ends the whole server, despite its resource limits. The process can read this code and its libraries only:
 * no other files, no child processes, no environment.
 */
export function startRenderer(program: string, limits: RendererLimits) {
  const child = fork(program, [], {
    env: {},
    execArgv: [
      `--max-old-space-size=${limits.heapMegabytes}`,
      '--permission',
      ...readPermissions(),
      '--no-warnings',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // An idle renderer does not keep the server process alive.
  child.unref()
  child.channel?.unref()
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => resolve()).once('error', () => resolve()),
  )

  return {
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    /** Throws only if `content` does. */
    async render(job: RenderJob, content: AsyncIterable<Uint8Array>): Promise<Outcome> {
      const outcome = outcomeOf(child)
      await send(child, job)
      for await (const chunk of content) await send(child, chunk)
      await send(child, null)
      return withinLimits(child, limits, outcome)
    },
    async end(): Promise<void> {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The process exits when it runs out of memory. */
async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const stop = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', stop).then(([outcome]) => outcome as Outcome),
      once(child, 'exit', stop).then(() => ({ failed: 'too_complex' as const })),
    ])
  } finally {
    stop.abort()
  }
}

async function withinLimits(
  child: ChildProcess,
  { timeMs, residentBytes }: RendererLimits,
  outcome: Promise<Outcome>,
): Promise<Outcome> {
  const limitExceeded = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => limitExceeded.resolve({ failed: 'timed_out' }), timeMs)
  const watch = setInterval(async () => {
    if ((await residentBytesOf(child)) > residentBytes) limitExceeded.resolve({ failed: 'too_complex' })
  }, MEMORY_POLL_MS)
  try {
    return await Promise.race([outcome, limitExceeded.promise])
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
  }
}

/** Zero where /proc does not exist. */
async function residentBytesOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** Resolves for a dead process too; `outcomeOf` reports its exit. */
const send = (child: ChildProcess, message: Serializable | null): Promise<void> =>
  new Promise((resolve) => {
    if (!child.connected) return resolve()
    child.send(message as Serializable, () => resolve())
  })

function readPermissions(): string[] {
  const modules = join(PROJECT, 'node_modules')
  const paths = [import.meta.dirname, modules, realpathSync(modules)].map((folder) => join(folder, '*'))
  return [...paths, join(PROJECT, 'package.json')].map((path) => `--allow-fs-read=${path}`)
}
