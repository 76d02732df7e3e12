import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { loopbackServers } from '../testing/fakes/loopback-servers.ts'
import { abortOnClose } from './abort-on-close.ts'

const { serve } = loopbackServers()

test('the signal aborts when the client closes the connection, even if it already did', async () => {
  const received = Promise.withResolvers<ServerResponse>()
  const url = await serve((_request, response) => received.resolve(response))
  const client = new AbortController()
  const request = fetch(url, { signal: client.signal }).catch(() => {})
  const raw = await received.promise
  const before = abortOnClose({ raw } as never)
  expect(before.aborted).toBe(false)
  const closed = once(raw, 'close')
  client.abort()
  await Promise.all([closed, request])
  for (const signal of [before, abortOnClose({ raw } as never)])
    expect(signal).toMatchObject({ aborted: true, reason: { message: 'The client closed the connection' } })
})
