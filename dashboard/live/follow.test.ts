import { expect, test } from 'vitest'
import { type Connection, follow } from './follow.ts'
import { eventsOf } from './sse.ts'

const streamOf = (...parts: string[]) => new Response(parts.join('')).body!

test('events are read whole, however they are cut on the way', async () => {
  const encoder = new TextEncoder()
  const text = ': beat\n\nid: 4\nevent: change\ndata: {"a":\ndata: "ä"}\r\n\r\nevent: left\ndata: {}\n\n'
  const bytes = encoder.encode(text)
  for (const size of [1, 7, bytes.length]) {
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const found = []
    for await (const event of eventsOf(stream)) found.push(event)
    expect(found).toEqual([
      { event: 'change', id: '4', data: '{"a":\n"ä"}' },
      { event: 'left', data: '{}' },
    ])
  }
})

const ready = 'event: ready\ndata: {"seq":0,"here":[]}\n\n'
const ended = (reason: string) => `event: ended\ndata: {"reason":"${reason}"}\n\n`

function watch(answers: (() => Response | Promise<Response>)[], greets = true) {
  const states: Connection[] = []
  const events: { name: string }[] = []
  const waits: number[] = []
  let asked = 0
  const following = follow({
    open: async () => (answers[asked++] ?? (() => new Promise<Response>(() => {})))(),
    onEvent: (event) => events.push(event),
    onConnection: (state) => states.push(state),
    greets,
    wait: async (tries) => void waits.push(tries),
  })
  return { states, events, waits, following, asked: () => asked }
}

test('a stream that ends by itself is opened again at once and without a word', async () => {
  const { states, waits, following, asked } = watch([
    () => new Response(streamOf(ready, ended('age'))),
    () => new Response(streamOf(ready, ended('access'))),
  ])
  await expect.poll(asked).toBe(3)
  expect(states).toEqual(['connecting', 'open', 'open'])
  expect(waits).toEqual([])
  following.stop()
})

test('a stream that breaks is tried again, later each time, and from the start once it was open', async () => {
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

test.each([401, 404])('whoever is answered %i is not let in again, and stops asking', async (status) => {
  const { states, asked } = watch([() => new Response(null, { status })])
  await expect.poll(() => states).toEqual(['connecting', 'ended'])
  expect(asked()).toBe(1)
})

test('a stream that does not greet is open as soon as it is answered', async () => {
  const { states, events, following } = watch(
    [() => new Response(streamOf('event: event\ndata: {}\n\n'))],
    false,
  )
  await expect.poll(() => states).toEqual(['connecting', 'open', 'lost'])
  expect(events.map(({ name }) => name)).toEqual(['event'])
  following.stop()
})
