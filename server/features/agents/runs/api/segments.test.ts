import { describe, expect, test } from 'vitest'
import { STRIP_SEGMENTS_MAX } from '../../../../../contract/agents/run-figures.ts'
import { buildSegments, type StripCall, type StripStep } from './segments.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const step = (n: number, from: number, to: number | null, state: StripStep['state'] = 'done') => ({
  n,
  state,
  startedAt: at(from),
  finishedAt: to === null ? null : at(to),
})
const call = (step: number, from: number | null, to: number | null, rest: Partial<StripCall> = {}) => ({
  ...{ step, tool: 'search', state: 'done', needsApproval: false },
  startedAt: from === null ? null : at(from),
  finishedAt: to === null ? null : at(to),
  ...rest,
})

describe('segments', () => {
  test('alternate between model and tools, and count a long gap as waiting', () => {
    const run = { status: 'succeeded' as const, startedAt: at(0), finishedAt: at(30) }
    const steps = [step(1, 0, 5), step(2, 9, 10), step(3, 25, 30)]
    expect(buildSegments(run, steps, [call(1, 5, 8.5)], 0)).toEqual([
      { kind: 'model', ms: 5000 },
      { kind: 'tool', ms: 3500 },
      { kind: 'model', ms: 1000 },
      { kind: 'waiting', ms: 15_000 },
      { kind: 'model', ms: 5000 },
    ])
  })

  test('show an approval as waiting, then the call', () => {
    const run = { status: 'succeeded' as const, startedAt: at(0), finishedAt: at(70) }
    expect(buildSegments(run, [step(1, 0, 5)], [call(1, 65, 70, { needsApproval: true })], 0)).toEqual([
      { kind: 'model', ms: 5000 },
      { kind: 'waiting', ms: 60_000 },
      { kind: 'tool', ms: 5000 },
    ])
  })

  test('end live while a run works, and failed after a failure', () => {
    const active = { status: 'running' as const, startedAt: at(0), finishedAt: null }
    expect(buildSegments(active, [step(1, 0, 5), step(2, 5, null, 'streaming')], [], 8000)).toEqual([
      { kind: 'model', ms: 5000 },
      { kind: 'live', ms: 3000 },
    ])
    const failed = { status: 'failed' as const, startedAt: at(0), finishedAt: at(5) }
    expect(buildSegments(failed, [step(1, 0, 5)], [], 0).at(-1)).toEqual({ kind: 'failed', ms: 0 })
    expect(buildSegments(failed, [step(1, 0, 5, 'failed')], [], 0)).toEqual([{ kind: 'failed', ms: 5000 }])
  })

  test('are empty before a run starts, and limited in number after it', () => {
    expect(buildSegments({ status: 'queued', startedAt: null, finishedAt: null }, [], [], 0)).toEqual([])
    const run = { status: 'succeeded' as const, startedAt: at(0), finishedAt: at(200) }
    const steps = Array.from({ length: 100 }, (_, index) => step(index + 1, index * 2, index * 2 + 1))
    const calls = steps.map(({ n }, index) => call(n, index * 2 + 1, index * 2 + 2))
    const segments = buildSegments(run, steps, calls, 0)
    expect(segments.length).toBeLessThanOrEqual(STRIP_SEGMENTS_MAX)
    expect(segments.reduce((sum, { ms }) => sum + ms, 0)).toBe(200_000)
  })
})
