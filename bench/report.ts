export interface Row {
  name: string
  ours: string
  floor?: string
  ratio?: number
  /** Absent if the figure is informational. */
  target?: { text: string; isMet: boolean }
  note?: string
}

export const RATIO_MIN = 0.85
export const GROWTH_MAX = 1.3

/** Also sends the row to the process that runs all parts. A missed target fails the part when it ends. */
export function report(row: Row): void {
  console.log(lineOf(row))
  process.send?.(row)
  if (row.target?.isMet === false) process.exitCode = 1
}

type Figures = { name: string; ratio: number; ours: string; floor: string; note?: string }

export const reportFloor = (figures: Figures) =>
  report({ ...figures, target: { text: `≥ ${RATIO_MIN}`, isMet: figures.ratio >= RATIO_MIN } })

export const reportGrowth = (name: string, times: { ratio: number; fewMs: number; manyMs: number }) =>
  report({
    ...figuresOf(name, times),
    target: { text: `≤ ${GROWTH_MAX}`, isMet: times.ratio <= GROWTH_MAX },
  })

export const reportLimit = (
  name: string,
  times: { ratio: number; fewMs: number; manyMs: number },
  maxMs: number,
) =>
  report({
    ...figuresOf(name, times),
    target: { text: `≤ ${maxMs} ms`, isMet: times.manyMs <= maxMs },
  })

/** Like `reportGrowth`, for operations that find more results among more rows. */
export const reportTimes = (name: string, times: { ratio: number; fewMs: number; manyMs: number }) =>
  report(figuresOf(name, times))

const figuresOf = (
  name: string,
  { ratio, fewMs, manyMs }: { ratio: number; fewMs: number; manyMs: number },
) => ({
  name,
  ratio,
  ours: `${manyMs.toFixed(2)} ms`,
  floor: `${fewMs.toFixed(2)} ms`,
})

function lineOf({ name, ours, floor, ratio, target, note }: Row): string {
  const figures = [ours, floor && `of ${floor}`, target && `target ${target.text}`, note]
  return `${name.padEnd(40)} ${ratio?.toFixed(2).padStart(5) ?? '     '}   ${figures.filter(Boolean).join(', ')}`
}
