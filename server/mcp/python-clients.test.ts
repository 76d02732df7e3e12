import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, type Headers, shareTestApp, type TestApp } from '../testing/test-app.ts'

/** The requests of the Python packages `mcp` 2.3.0 and `fastmcp` 4.0.10, recorded with their headers. */

let app: TestApp
let common: Headers
beforeAll(async () => {
  app = await shareTestApp()
  const person = await app.person(await app.organization(), { role: 'owner' })
  common = {
    ...bearer(await app.key(person, ['mcp:write'])),
    'user-agent': 'python-httpx2/2.13.1',
    'accept-encoding': 'gzip, deflate',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
})

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']

describe('fastmcp, revision 2026-07-28', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'mcp', version: '0.1.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/logLevel': 'debug',
  }
  let id = 0
  const send = (method: string, params: object = {}, headers: Headers = {}) =>
    app.request('POST', '/mcp', {
      headers: { ...common, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { _meta: META, ...params } }),
    })

  test('discovers, pings, lists and calls', async () => {
    expect((await send('server/discover')).body.result.supportedVersions).toEqual(['2026-07-28'])
    const ping = await send('ping')
    expect([ping.status, ping.body]).toEqual([
      200,
      { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: expect.any(Object) } },
    ])
    for (const method of LISTS) expect((await send(method)).status, method).toBe(200)
    const params = { name: 'whoami', arguments: {}, _meta: { ...META, progressToken: 7 } }
    const call = await send('tools/call', params, { 'mcp-name': 'whoami' })
    expect(call.body.result).toMatchObject({ resultType: 'complete', structuredContent: { role: 'owner' } })
  })

  test('gets an error for a ping without an id and for methods the revision removed', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: null, method: 'ping', params: { _meta: META } })
    const headers = { ...common, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' }
    expect((await app.request('POST', '/mcp', { headers, body })).status).toBe(400)
    expect(await send('logging/setLevel', { level: 'info' })).toMatchObject({
      status: 404,
      body: { error: { code: -32_601 } },
    })
  })
})

describe('mcp, revision 2025-11-25', () => {
  test('initializes, pings, sets a log level, lists, calls and ends its session', async () => {
    let session: Headers = {}
    let id = 0
    const send = (method: string, params?: object) =>
      app.request('POST', '/mcp', {
        headers: { ...common, ...session },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      })
    const clientInfo = { name: 'mcp', version: '0.1.0' }
    const initialized = await send('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    })
    expect(initialized.body.result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { logging: {} },
    })
    session = {
      'mcp-session-id': initialized.headers.get('mcp-session-id')!,
      'mcp-protocol-version': '2025-11-25',
    }
    const notified = await app.request('POST', '/mcp', {
      headers: { ...common, ...session },
      body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    })
    expect(notified.status).toBe(202)
    // The client listens for messages and ends its session; it accepts that this server has neither.
    for (const method of ['GET', 'DELETE']) {
      const headers = { ...common, ...session, 'cache-control': 'no-store' }
      expect((await app.request(method, '/mcp', { headers })).status, method).toBe(405)
    }
    expect((await send('ping')).body.result).toEqual({})
    expect((await send('logging/setLevel', { level: 'info' })).body.result).toEqual({})
    for (const method of LISTS) expect((await send(method)).status, method).toBe(200)
    const call = await send('tools/call', { name: 'whoami', arguments: {} })
    expect(call.body.result.structuredContent).toMatchObject({ role: 'owner' })
  })
})
