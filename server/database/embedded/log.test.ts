import { expect, test } from 'vitest'
import { lastMessage } from './log.ts'

test.each([
  ['LOG:  starting\n2026-01-31 UTC FATAL:  the port is in use\nLOG:  stopped\n', 0, 'the port is in use'],
  ['LOG:  starting\n', 0, 'starting'],
  ['\n', 0, 'the disk is full'],
  ['', 1e9, 'no message in the log'],
])('lastMessage of %j with %d free bytes is %j', (log, freeBytes, message) => {
  expect(lastMessage(log, freeBytes)).toBe(message)
})
