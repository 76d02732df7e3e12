import { expect, test } from 'vitest'
import type { ModelProvider } from './provider.ts'
import { sendRequest } from './provider-request.ts'

/** Never answers. */
const hang = ((_url: string, { signal }: RequestInit) =>
  new Promise((_, reject) => {
    if (signal!.aborted) reject(signal!.reason)
    signal!.addEventListener('abort', () => reject(signal!.reason))
  })) as typeof fetch

const provider = { url: 'http://127.0.0.1:9', apiKey: null } as ModelProvider

const send = (signal: AbortSignal, timeoutMs = 5000) =>
  sendRequest(
    { provider, model: 'slow', fetch: hang, signal },
    { path: '/x', headers: {}, body: '{}', timeoutMs, bytesMax: 1000 },
    async (response) => response.text(),
  )

test.each([
  ['its own time limit', AbortSignal.any([]), 20, 'timed_out'],
  ['the caller’s shorter time limit', AbortSignal.any([AbortSignal.timeout(20)]), 5000, 'timed_out'],
  ['a client that left', AbortSignal.abort(), 5000, 'canceled'],
] as const)('names %s as the reason', async (_, signal, timeoutMs, kind) => {
  const outcome = await send(signal, timeoutMs)
  expect(outcome).toMatchObject({ kind: 'failed', failure: { kind } })
})
