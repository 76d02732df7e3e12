import { expect, test } from 'vitest'
import { type Connection, follow } from './follow.ts'

const streamOf = (...parts: string[]) => new Response(parts.join('')).body!

const ready = 'event: ready\ndata: {"seq":0,"here":[]}\n\n'
const ended = (reason: string) => `event: ended\ndata: {"reason":"${reason}"}\n\n`

function watch(responses: ((signal: AbortSignal) => Response | Promise<Response>)[]) {
  const states: Connection[] = []
  const events: { name: string }[] = []
  const waits: number[] = []
  const lastEventIds: (string | undefined)[] = []
  const following = follow({
    open: async (signal, lastEventId) => {
      const respond = responses[lastEventIds.push(lastEventId) - 1] ?? (() => new Promise<Response>(() => {}))
      return respond(signal)
    },
    onEvent: (event) => events.push(event),
    onConnection: (state) => states.push(state),
    wait: async (attempt) => void waits.push(attempt),
  })
  return { states, events, waits, following, lastEventIds, requests: () => lastEventIds.length }
}

test('follow reopens a stream the server ends, immediately and without a state change', async () => {
  const { states, waits, following, requests } = watch([
    () => new Response(streamOf(ready, ended('age'))),
    () => new Response(streamOf(ready, ended('access'))),
  ])
  await expect.poll(requests).toBe(3)
  expect(states).toEqual(['connecting', 'open', 'open'])
  expect(waits).toEqual([])
  following.stop()
})

test('follow retries a broken stream with increasing delays, which reset once the stream opens', async () => {
  const { states, waits, following } = watch([
    () => Promise.reject(new TypeError('network')),
    () => new Response(null, { status: 503 }),
    () => new Response(streamOf(ready)),
    () => new Response(streamOf('event: change\ndata: {"seq":')),
  ])
  await expect.poll(() => waits).toEqual([0, 1, 0, 1])
  expect(states).toEqual(['connecting', 'lost', 'lost', 'open', 'lost', 'lost'])
  following.stop()
})

test.each([401, 404])('follow stops when the server refuses the stream with %i', async (status) => {
  const { states, requests } = watch([() => new Response(null, { status })])
  await expect.poll(() => states).toEqual(['connecting', 'ended'])
  expect(requests()).toBe(1)
})

test('follow resumes after the last event with an id', async () => {
  const { events, lastEventIds, following } = watch([
    () => new Response(streamOf(ready, 'id: 7\nevent: event\ndata: {}\n\n', 'event: event\ndata: {}\n\n')),
  ])
  await expect.poll(() => lastEventIds).toEqual([undefined, '7'])
  expect(events.map(({ name }) => name)).toEqual(['ready', 'event', 'event'])
  following.stop()
})

test("follow reconnects when an event can't be handled", async () => {
  const { states, requests, following } = watch([
    (signal) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(`${ready}event: change\ndata: {"seq":\n\n`))
            signal.addEventListener('abort', () => controller.error(signal.reason))
          },
        }),
      ),
  ])
  await expect.poll(requests).toBe(2)
  expect(states).toEqual(['connecting', 'open', 'lost'])
  following.stop()
})
