/** Helpers for programs, beside their tools. Runs in the sandbox before the program: see `server/sandbox/prelude.ts`. */
export const LIBRARY = String.raw`(call, define) => {
  'use strict'
  define('sleep', (ms) => call('sleep', { ms }))
}`
