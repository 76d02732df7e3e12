import { afterAll, describe, expect, test } from 'vitest'
import { type BufferedResponse, createOutbound, type OutboundRequest } from '../../../outbound/outbound.ts'
import { createClientDocuments } from './client-document.ts'

const URL_OF_CLIENT = 'https://app.example/client.json'
const DOCUMENT = {
  client_id: URL_OF_CLIENT,
  client_name: 'Example \u202eapp',
  redirect_uris: ['http://localhost/callback', 'javascript:alert(1)', 'https://app.example/cb'],
  token_endpoint_auth_method: 'none',
}
const now = new Date('2027-01-01T00:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

/** A server that answers with this client document. */
function fakeServer(document: unknown, answer: Partial<BufferedResponse> = {}) {
  const requests: OutboundRequest[] = []
  const request = async (sent: OutboundRequest) => {
    requests.push(sent)
    const response: BufferedResponse = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
      truncated: false,
      ...answer,
    }
    return { kind: 'response' as const, response, durationMs: 1 }
  }
  return { requests, request }
}

test("a client's document is read in one limited request, dropping refused redirect URIs", async () => {
  const server = fakeServer(DOCUMENT)
  expect(await createClientDocuments()(server, URL_OF_CLIENT, now)).toEqual({
    id: URL_OF_CLIENT,
    name: 'Example app',
    host: 'app.example',
    redirectUris: ['http://localhost/callback', 'https://app.example/cb'],
  })
  expect(server.requests).toMatchObject([{ url: URL_OF_CLIENT, timeoutMs: 5000, bytesMax: 5120 }])
})

test.each([
  ['max-age=600', 599, 601],
  ['max-age=999999999', 86_399, 86_401],
  ['', 299, 301],
])('a document is cached as cache-control %j requires, for at most a day', async (value, fresh, stale) => {
  const server = fakeServer(DOCUMENT, {
    headers: { 'content-type': 'application/json', 'cache-control': value },
  })
  const documents = createClientDocuments()
  for (const at of [0, fresh]) await documents(server, URL_OF_CLIENT, later(at))
  expect(server.requests).toHaveLength(1)
  await documents(server, URL_OF_CLIENT, later(stale))
  expect(server.requests).toHaveLength(2)
})

test.each<[string, unknown, Partial<BufferedResponse>?]>([
  ['another client_id', { ...DOCUMENT, client_id: 'https://other.example/client.json' }],
  ['no client_id', { redirect_uris: DOCUMENT.redirect_uris }],
  ['no redirect_uris', { ...DOCUMENT, redirect_uris: [] }],
  ['a secret', { ...DOCUMENT, client_secret: 'x' }],
  ['a method with a secret', { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_post' }],
  ['a redirect', DOCUMENT, { status: 302, headers: { location: 'http://127.0.0.1/' } }],
  ['an error', DOCUMENT, { status: 404 }],
  ['more bytes than allowed', DOCUMENT, { truncated: true }],
  ['HTML', DOCUMENT, { headers: { 'content-type': 'text/html' } }],
  ['no JSON', 'nonsense'],
  ['a list', [DOCUMENT]],
])('a document with %s is refused', async (_, document, answer) => {
  const server = fakeServer(document, answer)
  await expect(createClientDocuments()(server, URL_OF_CLIENT, now)).rejects.toMatchObject({
    details: { reason: 'invalid_client' },
  })
})

describe('a client document over the network', () => {
  const outbound = createOutbound({ allowed: [] })
  afterAll(() => outbound.close())

  test.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/client.json',
    'https://intranet/client.json',
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/client.json#x',
    'https://user@app.example/client.json',
    'https://app.example/a/../client.json',
    'https://2130706433/client.json',
  ])('is never requested from %s', async (url) => {
    await expect(createClientDocuments()(outbound, url, now)).rejects.toMatchObject({
      details: { reason: 'invalid_client' },
    })
  })
})
