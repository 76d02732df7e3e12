import { plain, style, tell } from '../terminal.ts'
import { createSpeedometer, type Running, renderBars, type Totals } from './bars.ts'
import { formatBytes } from './sizes.ts'
import type { Meter } from './transfer.ts'

const FRAME_MS = 100

export interface Outcome {
  /** Where it is in Atrium. */
  path: string
  local: string
  status: 'done' | 'skipped' | 'failed'
  size: number
  id?: string
  /** Why it failed or was skipped, or what else happened. */
  note?: string
}

/** How people see a transfer while it goes. */
export interface Display {
  begin: (label: string, size: number) => Meter & { end: () => void }
  finished: (outcome: Outcome) => void
  close: () => void
}

/** Bars where there is a terminal, a line for each file where there is none, and silence for scripts. */
export function createDisplay(isJson: boolean, verb: string, totals: Totals): Display {
  if (isJson) return { begin: () => ({ advance() {}, restart() {}, end() {} }), finished() {}, close() {} }
  return process.stderr.isTTY ? bars(verb, totals) : lines(verb)
}

const lines = (verb: string): Display => ({
  begin: () => ({ advance() {}, restart() {}, end() {} }),
  finished: (outcome) => tell(lineOf(outcome, verb)),
  close() {},
})

function lineOf({ status, path, size, note }: Outcome, verb: string): string {
  const words = { done: verb, skipped: 'skipped', failed: style('red', 'failed') }
  const told = status === 'done' ? formatBytes(size) : ''
  const details = [told, note].filter(Boolean).join('; ')
  return `${words[status]}  ${plain(path)}${details ? `  (${plain(details)})` : ''}`
}

function bars(verb: string, totals: Totals): Display {
  const running = new Set<Running>()
  const speedOf = createSpeedometer()
  let moved = 0
  let height = 0
  const clear = () => {
    if (height > 0) process.stderr.write(`\u001b[${height}A\u001b[0J`)
    height = 0
  }
  const draw = () => {
    // A terminal that does not know its size says nothing, or zero.
    const size = { columns: process.stderr.columns || 80, rows: process.stderr.rows || 24 }
    const screen = renderBars([...running], totals, speedOf(moved, performance.now()), size)
    clear()
    process.stderr.write(`${screen.join('\n')}\n`)
    height = screen.length
  }
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    process.on('exit', clear)
    return setInterval(draw, FRAME_MS)
  }

  return {
    begin(label, size) {
      timer ??= start()
      const one: Running = { label, size, bytes: 0 }
      running.add(one)
      return {
        advance(bytes) {
          one.bytes += bytes
          moved += bytes
        },
        restart() {
          one.bytes = 0
        },
        end: () => running.delete(one),
      }
    },
    // What went well is in the bars; what did not stays above them.
    finished(outcome) {
      if (outcome.status === 'done' || (outcome.status === 'skipped' && !outcome.note)) return
      clear()
      tell(lineOf(outcome, verb))
    },
    close() {
      clearInterval(timer)
      process.off('exit', clear)
      clear()
    },
  }
}
