export interface Scale {
  max: number
  /** From 0 to `max`, evenly spaced. */
  ticks: number[]
}

const STEPS = [1, 2, 2.5, 5, 10]

/** Round ticks that include `highest`; without a value, from 0 to 1. */
export function niceScale(highest: number, intervals = 5): Scale {
  const top = highest > 0 ? highest : 1
  const magnitude = 10 ** Math.floor(Math.log10(top / intervals))
  const step = STEPS.map((each) => each * magnitude).find((each) => each * intervals >= top * (1 - 1e-9))!
  const count = Math.ceil(top / step - 1e-9)
  // The factor keeps 0.1 + 0.2 from becoming 0.30000000000000004.
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
  return { max: ticks.at(-1)!, ticks }
}

/** Indexes for at most `labelsMax` axis labels: the first, the last and evenly spaced ones between. */
export function labelIndexes(count: number, labelsMax: number): number[] {
  if (count <= Math.max(labelsMax, 1)) return Array.from({ length: count }, (_, index) => index)
  const gap = (count - 1) / Math.max(labelsMax - 1, 1)
  return Array.from({ length: Math.max(labelsMax, 1) }, (_, index) => Math.round(index * gap))
}
