import type { Outcome, Outcomes } from './outcome-counts.ts'

const NONE: Outcome = { total: 0, failed: 0 }
const AT_START: Required<Outcomes> = {
  requests: NONE,
  jobs: NONE,
  deliveries: NONE,
  modelCalls: NONE,
  standbyReads: NONE,
}

/** Turns counts since the start of the process into counts of the last `windowMs`. */
export function createRecentOutcomes(windowMs: number, now: () => number = Date.now) {
  let samples = [{ at: now(), outcomes: AT_START }]
  return (outcomes: Required<Outcomes>): Required<Outcomes> => {
    const at = now()
    const first = samples.findLastIndex((sample) => sample.at <= at - windowMs)
    samples = [...samples.slice(Math.max(0, first)), { at, outcomes }]
    const before = samples[0]!.outcomes
    const since = (name: keyof Outcomes): Outcome => ({
      total: outcomes[name].total - before[name].total,
      failed: outcomes[name].failed - before[name].failed,
    })
    return {
      requests: since('requests'),
      jobs: since('jobs'),
      deliveries: since('deliveries'),
      modelCalls: since('modelCalls'),
      standbyReads: since('standbyReads'),
    }
  }
}
