import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { runSocket } from './socket-connection.ts'

const MINUTE_MS = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** A socket whose other side is controlled by a test. */
function connectSocket() {
  const actions: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    ping: () => void actions.push('ping'),
    terminate: () => void actions.push('terminate'),
    close: (code: number, reason: string) => void actions.push(`close ${code} ${reason}`),
    send: () => {},
    pause: () => {},
    resume: () => {},
  })
  const handler = { onText: async () => {}, onClose: async () => {} }
  const options = { log: pino({ enabled: false }), onClosed: () => {} }
  const running = runSocket(socket as unknown as WebSocket, () => handler, options)
  return { socket, actions, checkLiveness: () => running.checkLiveness() }
}

test('a connection that answers no ping is ended', () => {
  const { socket, actions, checkLiveness } = connectSocket()
  checkLiveness()
  socket.emit('pong')
  checkLiveness()
  expect(actions).toEqual(['ping', 'ping'])
  // A received message does not prove that the other side receives messages.
  socket.emit('message', Buffer.from('hello'), false)
  checkLiveness()
  expect(actions).toEqual(['ping', 'ping', 'terminate'])
})

test('a connection that answers pings but sends nothing for ten minutes is closed', () => {
  const { socket, actions, checkLiveness } = connectSocket()
  const minutes = (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      vi.advanceTimersByTime(MINUTE_MS)
      checkLiveness()
      socket.emit('pong')
    }
  }
  minutes(9)
  socket.emit('message', Buffer.from('hello'), false)
  minutes(10)
  expect(new Set(actions)).toEqual(new Set(['ping']))
  minutes(1)
  expect(actions.at(-1)).toBe('close 1001 idle')
})
