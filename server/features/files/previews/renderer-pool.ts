import { join } from 'node:path'
import { createSemaphore } from '../../../concurrency/semaphore.ts'
import { ApiError } from '../../../errors.ts'
import type { Outcome, RenderJob } from './job.ts'
import { type Renderer, type RendererLimits, startRenderer } from './renderer.ts'

interface Limits extends RendererLimits {
  /** How many files are read at once. */
  concurrency: number
  /** How many may be read or wait to be, of everybody and of one organization. */
  pendingMax: number
  pendingPerOrgMax: number
  /** A renderer with nothing to do is kept this long for the next file. */
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

/** Reads files in processes of their own, a few at a time. A renderer that failed at one is not given another. */
export function createRendererPool(options: Partial<Limits> & { program?: string } = {}) {
  const { program = PROGRAM, ...limits } = { ...LIMITS, ...options }
  const inHand = new Map<string, number>()
  const idle: Renderer[] = []
  const withPermit = createSemaphore(limits.concurrency)

  /** `open` is called when it is this file's turn, so that those who wait hold nothing open. */
  async function render(
    orgId: string,
    job: RenderJob,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<Outcome> {
    enter(orgId)
    try {
      return await withPermit(async () => onRenderer(job, await open()))
    } finally {
      leave(orgId)
    }
  }

  function enter(orgId: string) {
    const ofOne = inHand.get(orgId) ?? 0
    const ofAll = [...inHand.values()].reduce((sum, count) => sum + count, 0)
    if (ofOne >= limits.pendingPerOrgMax) throw busy('RATE_LIMITED')
    if (ofAll >= limits.pendingMax) throw busy('UNAVAILABLE')
    inHand.set(orgId, ofOne + 1)
  }

  function leave(orgId: string) {
    const left = inHand.get(orgId)! - 1
    if (left === 0) inHand.delete(orgId)
    else inHand.set(orgId, left)
  }

  async function onRenderer(job: RenderJob, content: AsyncIterable<Uint8Array>): Promise<Outcome> {
    const renderer = takeIdle() ?? startRenderer(program, limits)
    let outcome: Outcome | undefined
    try {
      outcome = await renderer.render(job, content)
      return outcome
    } finally {
      if (outcome && 'preview' in outcome) keep(renderer)
      else await renderer.end()
    }
  }

  function takeIdle(): Renderer | undefined {
    const renderer = idle.pop()
    return renderer === undefined || renderer.isAlive() ? renderer : takeIdle()
  }

  function keep(renderer: Renderer) {
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
  new ApiError(code, 'Too many previews are being made; try again in a moment', {
    details: { reason: 'busy' },
    headers: { 'retry-after': RETRY_AFTER_S },
  })
