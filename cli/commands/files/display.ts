import { displayWidth, printMessage, sanitize, style, truncateStart } from '../../terminal.ts'
import { formatBytes, formatSeconds } from './sizes.ts'
import type { Meter } from './transfer.ts'

const FRAME_MS = 100

export interface Outcome {
  path: string
  local: string
  status: 'done' | 'skipped' | 'failed'
  size: number
  id?: string
  note?: string
}

interface Display {
  begin: (label: string, size: number) => Meter & { end: () => void }
  showOutcome: (outcome: Outcome) => void
  close: () => void
}

export function createDisplay(isJson: boolean, verb: string, totals: Totals): Display {
  if (isJson) return { begin: () => ({ advance() {}, restart() {}, end() {} }), showOutcome() {}, close() {} }
  return process.stderr.isTTY ? createBarDisplay(verb, totals) : createLineDisplay(verb)
}

const createLineDisplay = (verb: string): Display => ({
  begin: () => ({ advance() {}, restart() {}, end() {} }),
  showOutcome: (outcome) => printMessage(lineOf(outcome, verb)),
  close() {},
})

function lineOf({ status, path, size, note }: Outcome, verb: string): string {
  const labels = { done: verb, skipped: 'skipped', failed: style('red', 'failed') }
  const sizeLabel = status === 'done' ? formatBytes(size) : ''
  const details = [sizeLabel, note].filter(Boolean).join('; ')
  return `${labels[status]}  ${sanitize(path)}${details ? `  (${sanitize(details)})` : ''}`
}

function createBarDisplay(verb: string, totals: Totals): Display {
  const running = new Set<RunningTransfer>()
  const speedOf = createSpeedometer()
  let bytesMoved = 0
  let height = 0
  const clear = () => {
    if (height > 0) process.stderr.write(`\u001b[${height}A\u001b[0J`)
    height = 0
  }
  const draw = () => {
    // A terminal of unknown size reports undefined or zero.
    const size = { columns: process.stderr.columns || 80, rows: process.stderr.rows || 24 }
    const frame = renderBars([...running], totals, speedOf(bytesMoved, performance.now()), size)
    clear()
    process.stderr.write(`${frame.join('\n')}\n`)
    height = frame.length
  }
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    process.on('exit', clear)
    return setInterval(draw, FRAME_MS)
  }

  return {
    begin(label, size) {
      timer ??= start()
      const transfer: RunningTransfer = { label, size, bytes: 0 }
      running.add(transfer)
      return {
        advance(bytes) {
          transfer.bytes += bytes
          bytesMoved += bytes
        },
        restart() {
          transfer.bytes = 0
        },
        end: () => running.delete(transfer),
      }
    },
    // Successes appear in the bars; failures stay above them.
    showOutcome(outcome) {
      if (outcome.status === 'done' || (outcome.status === 'skipped' && !outcome.note)) return
      clear()
      printMessage(lineOf(outcome, verb))
    },
    close() {
      clearInterval(timer)
      process.off('exit', clear)
      clear()
    },
  }
}

const BAR_COLUMNS = 20
const COLUMNS_MIN = 40
const WINDOW_MS = 5000

interface RunningTransfer {
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
  return `${name}${' '.repeat(Math.max(0, labelColumns - displayWidth(name)))} ${bar} ${percent}`
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
