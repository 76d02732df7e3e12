import { describe, expect, test } from 'vitest'
import { startDnsServer } from '../testing/fakes/dns-server.ts'
import { loopbackServers } from '../testing/fakes/loopback-servers.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'

const LOOPBACK = ['127.0.0.0/8']
const { serve, closeAfterTest } = loopbackServers()

const createClient = (options: OutboundOptions) => {
  const client = createOutbound(options)
  closeAfterTest(client.close)
  return client
}

async function withDns(records: Record<string, string[]>, allowed: string[] = []) {
  const dns = await startDnsServer(records)
  closeAfterTest(dns.close)
  return { dns, client: createClient({ allowed, resolvers: [dns.address] }) }
}

const message = { headers: {}, body: '{}' }

describe('host name', () => {
  test('is refused before anything is sent if it resolves to a private IP address', async () => {
    let isReached = false
    const port = new URL(await serve(() => (isReached = true))).port
    const { client } = await withDns({ 'inside.example.com': ['127.0.0.1'] })
    expect(await client.checkUrl(`http://inside.example.com:${port}/`)).toBe(
      'resolves to a non-public IP address',
    )
    expect(await client.post(`http://inside.example.com:${port}/`, message)).toMatchObject({
      kind: 'failure',
      error: 'inside.example.com resolves to a non-public IP address',
    })
    expect(isReached).toBe(false)
  })

  test('is resolved once per connection, so DNS rebinding reaches no other IP address', async () => {
    let reached = 0
    const port = new URL(await serve((_request, response) => response.end(String(++reached)))).port
    // The first IP address is allowed, the later one is not.
    const { client, dns } = await withDns({ 'rebind.example.com': ['127.0.0.1', '10.0.0.1'] }, LOOPBACK)
    const url = `http://rebind.example.com:${port}/`
    expect(await client.post(url, message)).toMatchObject({ kind: 'response', response: { body: '1' } })
    expect(dns.queries).toEqual(['rebind.example.com'])
    const fresh = createClient({ allowed: LOOPBACK, resolvers: [dns.address] })
    expect(await fresh.post(url, message)).toMatchObject({
      kind: 'failure',
      error: expect.stringContaining('resolves to a non-public IP address'),
    })
  })

  test.each([
    ['an IPv4-mapped IPv6 loopback address', ['::ffff:7f00:1']],
    ['a NAT64 address of loopback', ['64:ff9b:0:0:0:0:7f00:1']],
    ['a public and a private IP address', ['1.1.1.1', '::1']],
  ])('is refused if it resolves to %s', async (_name, addresses) => {
    const { client } = await withDns({ 'both.example.com': addresses })
    expect(await client.post('http://both.example.com:4000/', message)).toMatchObject({
      kind: 'failure',
      error: expect.stringContaining('resolves to a non-public IP address'),
    })
  })

  test('times out if its DNS servers never respond', async () => {
    const { client } = await withDns({})
    const limits = { timeoutMs: 300, bytesMax: 0 }
    expect(
      await client.request({ method: 'GET', url: 'http://silent.example.com/', ...limits }),
    ).toMatchObject({
      kind: 'failure',
      error: 'No response within 0.3 seconds',
    })
  })

  test('is resolved for the local machine if a non-public network is allowed, and its IP address is checked', async () => {
    const { port } = new URL(await serve((_request, response) => response.end('here')))
    const url = `http://localhost:${port}/`
    const loopback = createClient({ allowed: ['127.0.0.0/8', '::1/128'] })
    expect(await loopback.post(url, message)).toMatchObject({
      kind: 'response',
      response: { body: 'here' },
    })
    const otherNetwork = createClient({ allowed: ['10.0.0.0/8'] })
    expect(await otherNetwork.post(url, message)).toMatchObject({
      kind: 'failure',
      error: expect.stringContaining('resolves to a non-public IP address'),
    })
  })

  test('fails with a message that names it if it has no DNS record', async () => {
    const { client } = await withDns({})
    expect(await client.post('http://nowhere.example.com/', message)).toMatchObject({
      kind: 'failure',
      error: 'nowhere.example.com does not resolve to an IP address',
    })
  })
})

test.each(['http://2130706433/', 'http://0x7f.1/', 'http://[::ffff:127.0.0.1]/', 'http://localhost/'])(
  'a request to loopback written as %s is refused',
  async (url) => {
    expect(await createClient({ allowed: [] }).post(url, message)).toMatchObject({
      kind: 'failure',
      error: 'The URL must be a public URL',
    })
  },
)
