import { sanitize, truncateStart, widthOf } from '../../terminal.ts'
import { formatBytes, formatSeconds } from './sizes.ts'

const BAR_COLUMNS = 20
const COLUMNS_MIN = 40
/** The window over which the speed is averaged. */
const WINDOW_MS = 5000

export interface RunningTransfer {
  label: string
  size: number
  bytes: number
}

export interface Totals {
  files: number
  bytes: number
  filesDone: number
  bytesDone: number
}

/** The progress display: one line per file and one for the total. */
export function renderBars(
  running: RunningTransfer[],
  totals: Totals,
  bytesPerSecond: number | null,
  { columns, rows }: { columns: number; rows: number },
): string[] {
  const width = Math.max(columns, COLUMNS_MIN) - 1
  const visible = running.slice(0, Math.max(1, rows - 2))
  return [
    ...visible.map((transfer) => renderBar(transfer, width)),
    truncateEnd(renderTotal(running, totals, bytesPerSecond), width),
  ]
}

function renderBar({ label, size, bytes }: RunningTransfer, width: number): string {
  const fraction = size === 0 ? 1 : Math.min(bytes / size, 1)
  const filled = Math.round(fraction * BAR_COLUMNS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled)
  const percent = `${Math.floor(fraction * 100)}%`.padStart(4)
  const labelColumns = width - BAR_COLUMNS - percent.length - 2
  const name = truncateStart(sanitize(label), labelColumns)
  return `${name}${' '.repeat(Math.max(0, labelColumns - widthOf(name)))} ${bar} ${percent}`
}

function renderTotal(running: RunningTransfer[], totals: Totals, bytesPerSecond: number | null): string {
  const bytes = totals.bytesDone + running.reduce((sum, transfer) => sum + transfer.bytes, 0)
  const parts = [
    `${totals.filesDone} of ${totals.files} files`,
    `${formatBytes(bytes)} of ${formatBytes(totals.bytes)}`,
  ]
  if (bytesPerSecond) {
    parts.push(`${formatBytes(bytesPerSecond)}/s`)
    parts.push(`${formatSeconds(Math.max(0, totals.bytes - bytes) / bytesPerSecond)} left`)
  }
  return parts.join('  ')
}

const truncateEnd = (text: string, columns: number) => text.slice(0, columns)

/** Averages the transfer speed over the window. */
export function createSpeedometer() {
  const samples: { at: number; bytes: number }[] = []
  return (bytes: number, at: number): number | null => {
    samples.push({ at, bytes })
    while (samples.length > 2 && samples[1]!.at <= at - WINDOW_MS) samples.shift()
    const [first, last] = [samples[0]!, samples.at(-1)!]
    const elapsed = last.at - first.at
    return elapsed > 0 && last.bytes > first.bytes ? ((last.bytes - first.bytes) * 1000) / elapsed : null
  }
}
