import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config/config.ts'

/** One coloured line each for a person at a terminal, one JSON object each for a machine. */
export function createLog(level: Config['logLevel']): Logger {
  if (!process.stdout.isTTY) return pino({ level, ...MACHINE }, pino.destination(TOGETHER))
  return pino(
    { level, base: null },
    pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'requestId' }),
  )
}

/** A write per line would cost as much as a query: lines leave together, at the latest after half a second. */
const TOGETHER = { dest: 1, sync: false, minLength: 8192, periodicFlush: 500 }

const MACHINE = {
  base: null,
  timestamp: isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
}

/** The second is written once and kept: writing a whole date for every line would cost half of the line. */
let second = 0
let written = ''

function isoTime(): string {
  const now = Date.now()
  const milliseconds = now % 1000
  if (now - milliseconds !== second) {
    second = now - milliseconds
    written = new Date(second).toISOString().slice(0, -4)
  }
  return `,"time":"${written}${String(milliseconds).padStart(3, '0')}Z"`
}
