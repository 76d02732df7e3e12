export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string } | { kind: 'gap'; count: number }

const CONTEXT_LINES = 2
/** Table cells. Larger texts are compared as one block. */
const CELLS_MAX = 1_000_000

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const middle = compare(old.slice(start, old.length - end), next.slice(start, next.length - end))
  return shorten([...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)])
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const same = (text: string): DiffLine => ({ kind: 'same', text })
const removed = (text: string): DiffLine => ({ kind: 'removed', text })
const added = (text: string): DiffLine => ({ kind: 'added', text })

/** Keeps the longest common subsequence; removed lines precede added ones. */
function compare(old: string[], next: string[]): DiffLine[] {
  if (old.length * next.length > CELLS_MAX) return [...old.map(removed), ...next.map(added)]
  const width = next.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === next[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      lines.push(same(old[i++]!))
      j++
    } else if (
      i < old.length &&
      (j === next.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    )
      lines.push(removed(old[i++]!))
    else lines.push(added(next[j++]!))
  }
  return lines
}

function shorten(lines: DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same'),
  )
  const short: DiffLine[] = []
  for (const [at, line] of lines.entries()) {
    const last = short.at(-1)
    if (isNear[at]) short.push(line)
    else if (last?.kind === 'gap') last.count++
    else short.push({ kind: 'gap', count: 1 })
  }
  return short
}
