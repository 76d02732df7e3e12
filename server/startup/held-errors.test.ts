import { PassThrough } from 'node:stream'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { createHeldErrors } from './held-errors.ts'

function openLog() {
  const heldErrors = createHeldErrors()
  const output = new PassThrough()
  const log = pino({ base: null, timestamp: false, hooks: heldErrors.hooks }, output)
  const messages = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).msg)
  return { heldErrors, log, messages }
}

const lost = () => ({ err: new Error('terminating connection due to unexpected postmaster exit') })

test('lost-connection errors are dropped when the database has died', () => {
  const { heldErrors, log, messages } = openLog()
  for (let n = 0; n < 50; n++) log.child({ n }).error(lost(), 'a connection failed')
  log.error({ err: new Error('No such row') }, 'another error')
  log.info('a line')
  heldErrors.discard()
  log.fatal('PostgreSQL stopped')
  log.warn(lost(), 'a late error')
  expect(messages()).toEqual(['another error', 'a line', 'PostgreSQL stopped'])
})

test('lost-connection errors are written when the database recovers', () => {
  vi.useFakeTimers()
  const { log, messages } = openLog()
  log.error(lost(), 'a connection failed')
  expect(messages()).toEqual([])
  vi.advanceTimersByTime(5000)
  vi.useRealTimers()
  expect(messages()).toEqual(['a connection failed'])
})
