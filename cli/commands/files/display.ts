import { printMessage, sanitize, style } from '../../terminal.ts'
import { createSpeedometer, type RunningTransfer, renderBars, type Totals } from './bars.ts'
import { formatBytes } from './sizes.ts'
import type { Meter } from './transfer.ts'

const FRAME_MS = 100

export interface Outcome {
  /** The remote path. */
  path: string
  local: string
  status: 'done' | 'skipped' | 'failed'
  size: number
  id?: string
  /** Why the file failed or was skipped, or another remark. */
  note?: string
}

/** Shows the progress of a transfer. */
export interface Display {
  begin: (label: string, size: number) => Meter & { end: () => void }
  showOutcome: (outcome: Outcome) => void
  close: () => void
}

/** Progress bars in a terminal, a line per file without one, nothing with --json. */
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
