import { formatBytes } from './sizes.ts'

/** Without a terminal, a line at most this often. */
const LINE_EVERY_MS = 10_000
const REDRAW_EVERY_MS = 100

interface Totals {
  items: number
  /** Null if unknown. */
  bytes: number | null
}

export interface Progress {
  begin: (label: string, totals: Totals) => void
  addItem: () => void
  addBytes: (count: number) => void
  end: () => void
}

/** Shows the progress of the running step: a line that is redrawn on a terminal, otherwise a line every 10 seconds. */
export function createProgress(output: { write: (text: string) => unknown; isTTY?: boolean }): Progress {
  let label = ''
  let totals: Totals = { items: 0, bytes: null }
  let items = 0
  let bytes = 0
  let shownAt = 0

  const formatLine = () => {
    const size =
      totals.bytes === null ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(totals.bytes)}`
    return `  ${label.padEnd(9)} ${items.toLocaleString('en')} of ${totals.items.toLocaleString('en')}, ${size}`
  }
  const show = (isLast: boolean) => {
    const now = performance.now()
    if (!isLast && now - shownAt < (output.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return
    shownAt = now
    if (output.isTTY) output.write(`\r\x1b[K${formatLine()}${isLast ? '\n' : ''}`)
    else output.write(`${formatLine()}\n`)
  }
  return {
    begin(name, expected) {
      label = name
      totals = expected
      items = 0
      bytes = 0
      shownAt = performance.now()
    },
    addItem() {
      items++
      show(false)
    },
    addBytes(count) {
      bytes += count
      show(false)
    },
    end: () => show(true),
  }
}
