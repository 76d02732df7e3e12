import { join } from 'node:path'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import type { Outcome, RenderJob } from './job.ts'
import { type Renderer, type RendererLimits, startRenderer } from './renderer.ts'

interface Limits extends RendererLimits {
  /** The number of files rendered concurrently, in total and per organization. */
  concurrency: number
  concurrencyPerOrg: number
  /** The number of queued previews, in total and per organization. */
  waitingMax: number
  waitingPerOrgMax: number
  /** How long a preview waits for its turn. */
  waitMs: number
  /** An idle renderer ends after this time. */
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

/** A pool of renderer processes, which organizations use in turns. A renderer is not reused after a failure. */
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

  /** Calls `open` once a renderer is free, so that queued previews have no open streams. */
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
      if (outcome && 'preview' in outcome) returnToPool(renderer)
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
    async close() {
      await Promise.all(idle.splice(0).map((renderer) => renderer.end()))
    },
  }
}
