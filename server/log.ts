import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

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
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
}
