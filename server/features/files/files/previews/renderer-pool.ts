import type { ChildProcess, Serializable } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import { forkConfined, watchMemory } from '../../../../processes/confined-process.ts'
import type { Outcome, Preview, RenderJob } from './job.ts'

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

type PoolOptions = Partial<Limits> & { program?: string }

export const createRendererPool = <P = Preview>(options: PoolOptions = {}) =>
  createPool<RenderJob, Outcome<P>>(options)

type Failed = { failed: 'too_complex' | 'timed_out' }

/** Organizations take turns. A renderer isn't reused after a failure. */
export function createPool<Job extends object, Result extends object>(options: PoolOptions) {
  const { program = PROGRAM, ...limits } = { ...LIMITS, ...options }
  const idle: Renderer<Job, Result>[] = []
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
    job: Job,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<Result | Failed> => previews.run(orgId, async () => runOnRenderer(job, await open()))

  async function runOnRenderer(job: Job, content: AsyncIterable<Uint8Array>): Promise<Result | Failed> {
    const renderer = takeIdle() ?? startRenderer<Job, Result>(program, limits)
    let outcome: Result | Failed | undefined
    try {
      outcome = await renderer.render(job, content)
      return outcome
    } finally {
      if (outcome && !('failed' in outcome)) returnToPool(renderer)
      else await renderer.end()
    }
  }

  function takeIdle(): Renderer<Job, Result> | undefined {
    const renderer = idle.pop()
    return renderer === undefined || renderer.isAlive() ? renderer : takeIdle()
  }

  function returnToPool(renderer: Renderer<Job, Result>) {
    idle.push(renderer)
    setTimeout(() => {
      const index = idle.indexOf(renderer)
      if (index !== -1) void idle.splice(index, 1)[0]!.end()
    }, limits.idleMs).unref()
  }

  return {
    render,
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

type Renderer<Job, Result> = ReturnType<typeof startRenderer<Job, Result>>

const PROJECT = join(import.meta.dirname, '../../../../..')
/** The fonts are for drawings. */
const FOLDERS = [import.meta.dirname, join(PROJECT, 'markdown'), join(PROJECT, 'dashboard/fonts')]

function startRenderer<Job, Result>(program: string, limits: RendererLimits) {
  const { heapMegabytes } = limits
  const { child, isAlive, end } = forkConfined(program, {
    heapMegabytes,
    folders: FOLDERS,
    serialization: 'advanced',
  })
  return {
    isAlive,
    /** Throws only if `content` does. */
    async render(job: Job, content: AsyncIterable<Uint8Array>): Promise<Result | Failed> {
      const outcome = outcomeOf<Result>(child)
      await send(child, job as Serializable)
      for await (const chunk of content) await send(child, chunk)
      await send(child, null)
      return withinLimits(child, limits, outcome)
    },
    end,
  }
}

/** The process exits when it runs out of memory. */
async function outcomeOf<Result>(child: ChildProcess): Promise<Result | Failed> {
  const stop = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', stop).then(([outcome]) => outcome as Result),
      once(child, 'exit', stop).then(() => ({ failed: 'too_complex' as const })),
    ])
  } finally {
    stop.abort()
  }
}

async function withinLimits<Result>(
  child: ChildProcess,
  { timeMs, residentBytes }: RendererLimits,
  outcome: Promise<Result | Failed>,
): Promise<Result | Failed> {
  const limitExceeded = Promise.withResolvers<Failed>()
  const timer = setTimeout(() => limitExceeded.resolve({ failed: 'timed_out' }), timeMs)
  const stopWatching = watchMemory(child, residentBytes, () =>
    limitExceeded.resolve({ failed: 'too_complex' }),
  )
  try {
    return await Promise.race([outcome, limitExceeded.promise])
  } finally {
    clearTimeout(timer)
    stopWatching()
  }
}

/** Also resolves for a dead process. `outcomeOf` reports its exit. */
const send = (child: ChildProcess, message: Serializable | null): Promise<void> =>
  new Promise((resolve) => {
    if (!child.connected) return resolve()
    child.send(message as Serializable, () => resolve())
  })
