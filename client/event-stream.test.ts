import { expect, test } from 'vitest'
import { followEvents, readEvents, type StreamState } from './event-stream.ts'

test('readEvents parses events with any chunk boundaries', async () => {
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
    for await (const event of readEvents(stream)) found.push(event)
    expect(found).toEqual([
      { name: 'change', id: '4', data: '{"a":\n"ä"}' },
      { name: 'left', data: '{}' },
    ])
  }
})

test('followEvents reports `open` on the first event if the stream sends no `ready`, and resets its backoff', async () => {
  const encoder = new TextEncoder()
  const states: StreamState[] = []
  const attempts: number[] = []
  const resumedFrom: (string | undefined)[] = []
  const { events, stop } = followEvents({
    open: async (_signal, lastEventId) => {
      resumedFrom.push(lastEventId)
      const count = resumedFrom.length
      return new Response(encoder.encode(`: beat\n\nid: ${count}\nevent: text\ndata: {}\n\n`))
    },
    onState: (state) => states.push(state),
    wait: async (attempt) => void attempts.push(attempt),
  })
  for await (const { id } of events) if (id === '3') stop()
  expect(resumedFrom).toEqual([undefined, '1', '2'])
  expect(attempts).toEqual([0, 0])
  expect(states).toEqual(['connecting', 'open', 'lost', 'open', 'lost', 'open'])
})
