import { join } from 'node:path'
import { createSemaphore } from '../../../concurrency/semaphore.ts'
import { ApiError } from '../../../errors.ts'
import type { Outcome, RenderJob } from './job.ts'
import { type Renderer, type RendererLimits, startRenderer } from './renderer.ts'

interface Limits extends RendererLimits {
  /** The number of files rendered concurrently. */
  concurrency: number
  /** The number of running and queued previews, in total and per organization. */
  pendingMax: number
  pendingPerOrgMax: number
  /** An idle renderer ends after this time. */
  idleMs: number
}

const LIMITS: Limits = {
  timeMs: 10_000,
  heapMegabytes: 384,
  residentBytes: 805_306_368,
  concurrency: 2,
  pendingMax: 32,
  pendingPerOrgMax: 12,
  idleMs: 60_000,
}
const PROGRAM = join(import.meta.dirname, 'renderer-program.ts')
const RETRY_AFTER_S = '5'

/** A pool of renderer processes with a queue. A renderer is not reused after a failure. */
export function createRendererPool(options: Partial<Limits> & { program?: string } = {}) {
  const { program = PROGRAM, ...limits } = { ...LIMITS, ...options }
  const pending = new Map<string, number>()
  const idle: Renderer[] = []
  const withPermit = createSemaphore(limits.concurrency)

  /** Calls `open` once a renderer is free, so that queued previews hold no open streams. */
  async function render(
    orgId: string,
    job: RenderJob,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<Outcome> {
    acquire(orgId)
    try {
      return await withPermit(async () => onRenderer(job, await open()))
    } finally {
      release(orgId)
    }
  }

  function acquire(orgId: string) {
    const ofOne = pending.get(orgId) ?? 0
    const ofAll = [...pending.values()].reduce((sum, count) => sum + count, 0)
    if (ofOne >= limits.pendingPerOrgMax) throw busy('RATE_LIMITED')
    if (ofAll >= limits.pendingMax) throw busy('UNAVAILABLE')
    pending.set(orgId, ofOne + 1)
  }

  function release(orgId: string) {
    const left = pending.get(orgId)! - 1
    if (left === 0) pending.delete(orgId)
    else pending.set(orgId, left)
  }

  async function onRenderer(job: RenderJob, content: AsyncIterable<Uint8Array>): Promise<Outcome> {
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

const busy = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
  new ApiError(code, 'Too many previews are being rendered: try again in a moment', {
    details: { reason: 'busy' },
    headers: { 'retry-after': RETRY_AFTER_S },
  })
