/** Without a terminal, prints a line at most this often. */
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

/** Redraws one line on a terminal. Otherwise prints a line every 10 seconds. */
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

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Up to three digits: `734 B`, `1.5 kB`, `104 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(unit === 0 || value >= 99.95 ? 0 : 1)} ${UNITS[unit]}`
}
