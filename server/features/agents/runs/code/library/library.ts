import { CHARTS } from './charts.ts'
import { SHA256 } from './sha256.ts'
import { TABLES } from './tables.ts'

/**
 * Helpers for programs, beside their tools. Runs in the sandbox before the program: see `server/sandbox/prelude.ts`.
 * What a helper reads or writes, it does by calls of the agent's tools.
 */
export const LIBRARY = `(call, define) => {
  'use strict'
  const sha256 = ${SHA256}
  const { readTable, parseCsv } = (${TABLES})(call)
  const charts = (${CHARTS})(call)
  define('sleep', (ms) => call('sleep', { ms }))
  define('crypto', Object.freeze({ sha256 }))
  define('files', Object.freeze({
    readTable,
    parseCsv,
    write: (name, text, options) =>
      call('write_file', { ...options, name, text: typeof text === 'string' ? text : JSON.stringify(text, null, 2) }),
  }))
  define('charts', Object.freeze(charts))
}`
