import { expect, test } from 'vitest'
import { readEvents } from './event-stream.ts'

test('readEvents parses events whatever the boundaries of the chunks', async () => {
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
