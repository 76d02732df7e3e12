import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import type { ExtractOutcome, Outcome, RenderJob } from './job.ts'

interface Limits extends RendererLimits {
  concurrency: number
  concurrencyPerOrg: number
  waitingMax: number
  waitingPerOrgMax: number
  waitMs: number
  idleMs: number
}

const LIMITS: Limits = {
  timeMs: 5000,
  heapMegabytes: 384,
  residentBytes: 805_306_368,
  concurrency: 3,
  concurrencyPerOrg: 2,
  waitingMax: 32,
  waitingPerOrgMax: 10,
  waitMs: 30_000,
  idleMs: 60_000,
}
const PROGRAM = join(import.meta.dirname, 'renderer-program.ts')

/** Organizations take turns. A renderer isn't reused after a failure. */
export function createRendererPool(options: Partial<Limits> & { program?: string } = {}) {
  const { program = PROGRAM, ...limits } = { ...LIMITS, ...options }
  const idle: Renderer[] = []
  const previews = createSemaphore({
    name: 'previews',
    permits: limits.concurrency,
    permitsPerKey: limits.concurrencyPerOrg,
    waitingPerKeyMax: limits.waitingPerOrgMax,
    waitingMax: limits.waitingMax,
    waitMs: limits.waitMs,
  })

  /** Opens streams only once a renderer is free. */
  const render = (
    orgId: string,
    job: RenderJob,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<Outcome> => previews.run(orgId, async () => runOnRenderer(job, await open()))

  async function runOnRenderer(job: RenderJob, content: AsyncIterable<Uint8Array>): Promise<Outcome> {
    const renderer = takeIdle() ?? startRenderer(program, limits)
    let outcome: Outcome | undefined
    try {
      outcome = await renderer.render(job, content)
      return outcome
    } finally {
      if (outcome && !('failed' in outcome)) returnToPool(renderer)
      else await renderer.end()
    }
  }

  function takeIdle(): Renderer | undefined {
    const renderer = idle.pop()
    return renderer === undefined || renderer.isAlive() ? renderer : takeIdle()
  }

  function returnToPool(renderer: Renderer) {
    idle.push(renderer)
    setTimeout(() => {
      const index = idle.indexOf(renderer)
      if (index !== -1) void idle.splice(index, 1)[0]!.end()
    }, limits.idleMs).unref()
  }

  return {
    render,
    /** The job names `extract`, so the outcome has a text. */
    extract: async (...input: Parameters<typeof render>) =>
      (await render(...input)) as unknown as ExtractOutcome,
    async close() {
      await Promise.all(idle.splice(0).map((renderer) => renderer.end()))
    },
  }
}

interface RendererLimits {
  /** Per file, measured after the whole file has been sent. */
  timeMs: number
  heapMegabytes: number
  /** Resident memory including buffers. Enforced where /proc exists. */
  residentBytes: number
}

type Renderer = ReturnType<typeof startRenderer>

const MEMORY_POLL_MS = 50
const PROJECT = join(import.meta.dirname, '../../../../..')

/**
 * A child process, because a worker thread that runs out of memory in one large allocation would end the whole server,
 * despite its limits. It can read only this code and its libraries: no other files, no child processes, no environment.
 */
function startRenderer(program: string, limits: RendererLimits) {
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
  // An idle renderer doesn't keep the server alive.
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

/** Zero where /proc doesn't exist. */
async function residentBytesOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** Also resolves for a dead process. `outcomeOf` reports its exit. */
const send = (child: ChildProcess, message: Serializable | null): Promise<void> =>
  new Promise((resolve) => {
    if (!child.connected) return resolve()
    child.send(message as Serializable, () => resolve())
  })

function readPermissions(): string[] {
  const modules = join(PROJECT, 'node_modules')
  const folders = [import.meta.dirname, join(PROJECT, 'markdown'), modules, realpathSync(modules)]
  const paths = folders.map((folder) => join(folder, '*'))
  return [...paths, join(PROJECT, 'package.json')].map((path) => `--allow-fs-read=${path}`)
}
