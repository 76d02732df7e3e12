import pino, { type Logger, type LoggerOptions } from 'pino'
import type { Config } from './config/config.ts'

interface LogOptions {
  hooks?: NonNullable<LoggerOptions['hooks']>
  /** Other processes write to the same output: each line names its process. */
  isShared?: boolean
}

export async function createLog(
  level: Config['logLevel'],
  { hooks = {}, isShared = false }: LogOptions = {},
): Promise<Logger> {
  const base = isShared ? { pid: process.pid } : null
  if (!process.stdout.isTTY)
    return pino({ level, hooks, base, ...JSON_LINES }, pino.destination(isShared ? SHARED : BUFFERED))
  const { default: pretty } = await import('pino-pretty')
  return pino(
    { level, hooks, base },
    pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'requestId' }),
  )
}

/** Exiting before the last buffered write ends would lose lines. */
export const flushLog = (log: Logger) => new Promise<void>((resolve) => log.flush(() => resolve()))

/** A write per line costs as much as a query. */
const BUFFERED = { dest: 1, sync: false, minLength: 8192, periodicFlush: 500 }

/** A pipe keeps writes up to 4 KB whole, so no line is mixed with another process's. */
const SHARED = { ...BUFFERED, minLength: 2048, maxWrite: 4096 }

const JSON_LINES = {
  timestamp: isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
}

/** Formatting a whole date is half a line's cost. */
let second = 0
let formatted = ''

function isoTime(): string {
  const now = Date.now()
  const milliseconds = now % 1000
  if (now - milliseconds !== second) {
    second = now - milliseconds
    formatted = new Date(second).toISOString().slice(0, -4)
  }
  return `,"time":"${formatted}${String(milliseconds).padStart(3, '0')}Z"`
}
