import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { createLanguageModel } from './language-model.ts'
import { streamCall } from './stream-call.ts'
import { trustedFetch } from './trusted-fetch.ts'

const MEGABYTE = 1_048_576

/** A model server whose response never ends. */
async function startEndless(status: number, contentType: string, text: string) {
  const chunk = Buffer.from(text)
  const closed = Promise.withResolvers<number>()
  let bytes = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': contentType })
    const send = () => {
      while (!response.destroyed) {
        bytes += chunk.length
        if (!response.write(chunk)) return
      }
    }
    response.on('drain', send).on('close', () => closed.resolve(bytes))
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const provider = { id: 'acme', name: 'Acme', url, apiKey: 'k', models: [], cacheKey: 'acme' }
  const model = await createLanguageModel(
    { ...provider, kind: 'openai-compatible', source: 'organization' },
    'endless',
    trustedFetch,
  )
  return { model, closed: closed.promise }
}

const EVENT = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'word '.repeat(5000) } }] })}\n\n`

test('an event with too many values ends the call', async () => {
  const event = `data: {"choices":[${'1,'.repeat(1_000_000)}1]}\n\n`
  const { model } = await startEndless(200, 'text/event-stream', event)
  const events = await Array.fromAsync(streamCall({ model, messages: [{ role: 'user', content: 'Hello' }] }))
  expect(events.at(-1)).toMatchObject({ type: 'failed' })
})

test.each([
  ['of events', 200, 'text/event-stream', EVENT, 64],
  ['of one line', 200, 'text/event-stream', 'x'.repeat(65_536), 16],
  ['that is an error', 500, 'application/json', 'x'.repeat(65_536), 1],
])(
  'an endless response %s ends the call and the connection',
  async (_name, status, contentType, text, limit) => {
    const { model, closed } = await startEndless(status, contentType, text)
    const events = await Array.fromAsync(
      streamCall({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    )
    expect(events.at(-1)).toMatchObject({ type: 'failed' })
    expect((await closed) / MEGABYTE).toBeGreaterThan(limit)
    expect((await closed) / MEGABYTE).toBeLessThan(limit + 32)
  },
)

test('an endless answer that is not streamed ends the call and the connection', async () => {
  const { model, closed } = await startEndless(200, 'application/json', 'x'.repeat(65_536))
  await expect(generateText({ model, prompt: 'Hello', maxRetries: 0 })).rejects.toThrow()
  expect((await closed) / MEGABYTE).toBeLessThan(48)
})
