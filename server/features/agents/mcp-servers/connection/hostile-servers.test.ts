import { inputRequired } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../../../client/client.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { createOutbound } from '../../../../outbound/outbound.ts'
import { startDnsServer } from '../../../../testing/fakes/dns-server.ts'
import { startMcpServer } from '../../../../testing/fakes/mcp-server.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { readListing } from '../listing/store-listing.ts'
import { targetWith } from '../sign-in/target.ts'
import { withSession } from './connect.ts'

let app: TestApp
let current: Awaited<ReturnType<typeof startMcpServer>>
let earlier: Awaited<ReturnType<typeof startMcpServer>>
let admin: Client<Contract>
const outbound = createOutbound({ allowed: ['127.0.0.1/32'] })
beforeAll(async () => {
  ;[app, current, earlier] = await Promise.all([
    buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' } }),
    startMcpServer(),
    startMcpServer('earlier'),
  ])
  admin = await app.withSession(await app.person(await app.organization(), { role: 'admin' }))
})
afterAll(() => Promise.all([app.close(), current.close(), earlier.close(), outbound.close()]))
beforeEach(async () => {
  current.reset()
  earlier.reset()
  await app.sql`delete from mcp_servers`
})

const read = (url: string, limits = { bytesMax: 100_000, timeoutMs: 5000 }) =>
  withSession(outbound, targetWith(url, undefined), limits, readListing)

describe('a connection to a hostile MCP server', () => {
  test.each([
    ['http://10.0.0.1/mcp', 'must be a public URL'],
    ['http://169.254.169.254/latest', 'must be a public URL'],
    ['http://[::1]/mcp', 'must be a public URL'],
    ['file:///etc/passwd', 'must begin with http'],
    ['https://user:pass@example.com/mcp', 'must not contain a user name'],
  ])('is refused for %s', async (url, message) => {
    await expect(admin.mcpServers.create({ url })).rejects.toMatchObject({
      details: [{ path: 'body.url', message: expect.stringContaining(message) }],
    })
  })

  test('fails if the host name resolves to a private address when it connects', async () => {
    const dns = await startDnsServer({ 'rebind.example.com': ['93.184.216.34', '127.0.0.1'] })
    const guarded = createOutbound({ allowed: [], resolvers: [dns.address] })
    const url = `http://rebind.example.com:${new URL(current.url).port}/mcp`
    expect(await guarded.checkUrl(url)).toBeNull()
    const target = targetWith(url, undefined)
    const result = await withSession(guarded, target, { bytesMax: 1000, timeoutMs: 20_000 }, readListing)
    expect(result).toMatchObject({
      ok: false,
      message: 'rebind.example.com resolves to a non-public IP address',
    })
    expect(current.requests).toEqual([])
    await Promise.all([guarded.close(), dns.close()])
  })

  test.each(['http://10.0.0.1/', 'https://attacker.example/mcp'])(
    'follows no redirect to %s',
    async (location) => {
      current.intercept((_request, response) => {
        response.writeHead(307, { location }).end()
        return true
      })
      const header = { name: 'authorization', value: 'Bearer 0123456789abcdef' }
      const { problem } = await admin.mcpServers.create({ url: current.url, auth: 'header', header })
      expect(problem).toContain('redirects to another URL')
    },
  )

  test('aborts an endless event stream at the byte or time limit', async () => {
    let isSilent = false
    earlier.intercept((request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (isSilent) return true
      const timer = setInterval(() => response.write(`: ${'x'.repeat(10_000)}\n\n`), 1)
      response.on('close', () => clearInterval(timer))
      return true
    })
    expect(await read(earlier.url, { bytesMax: 1_048_576, timeoutMs: 20_000 })).toMatchObject({
      ok: false,
      message: 'The server sends more than 1 MB',
    })
    isSilent = true
    expect(await read(earlier.url, { bytesMax: 1_048_576, timeoutMs: 300 })).toMatchObject({
      ok: false,
      message: 'No response within 0.3 seconds',
    })
  })

  test('ends with an answer of too many values', async () => {
    current.intercept((_request, response) => {
      const body = `{"jsonrpc":"2.0","id":1,"result":{"tools":[${'1,'.repeat(1_000_000)}1]}}`
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      return true
    })
    expect(await read(current.url, { bytesMax: 4_194_304, timeoutMs: 20_000 })).toMatchObject({
      ok: false,
      message: 'The server’s answer has too many values',
    })
  })

  test("limits the listed tools' number and bytes", async () => {
    const many = (count: number, size: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `t${index}`, description: 'x'.repeat(size) }))
    current.list(...many(300, 10))
    const large = await admin.mcpServers.create({ url: current.url })
    expect([large.tools.length, large.implementation?.leftOut]).toEqual([200, 100])
    current.list(...many(500, 20_000))
    const { problem, tools } = await admin.mcpServers.create({ url: current.url })
    expect([problem, tools]).toEqual(['The server sends more than 4 MB', []])
  })

  test("reports why tools can't be used, and enables none of them", async () => {
    const nested = (depth: number): object =>
      depth === 0 ? {} : { type: 'object', properties: { a: nested(depth - 1) } }
    const multiplied = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `d${n}`,
        { anyOf: Array.from({ length: 20 }, () => ({ $ref: `#/$defs/d${n + 1}` })) },
      ]),
    )
    const object = (fields: object) => ({ type: 'object', ...fields })
    const schemas: Record<string, [object, string | null]> = {
      cyclic: [object({ properties: { a: { $ref: '#/properties/a' } } }), 'refers to itself'],
      root: [object({ properties: { a: { $ref: '#' } } }), 'refers to itself'],
      remote: [object({ properties: { a: { $ref: 'https://attacker.example/s' } } }), 'does not contain'],
      deep: [nested(12), 'levels deep'],
      large: [object({ description: 'x'.repeat(40_000) }), 'larger than 32 KB'],
      top: [object({ anyOf: [{ required: ['a'] }] }), 'anyOf at its top'],
      property: [object({ properties: { 'a b': {} } }), 'property name "a b"'],
      multiplied: [object({ $defs: { ...multiplied, d12: {} } }), null],
    }
    current.list(
      ...Object.entries(schemas).map(([name, [inputSchema]]) => ({ name, inputSchema })),
      { name: 'tags', description: 'Finds.\u{e0049}\u{e0067}' },
      { name: 'zero-width', title: 'Fi\u200bnds' },
      { name: 'selectors', description: 'Finds \u{1f600}\ufe00\ufe01\ufe02' },
      { name: 'emoji', description: 'Finds 👩‍💻 and ❤️, नमस्ते' },
      {
        name: 'long',
        description: 'x'.repeat(9000),
      },
    )
    const { tools, id } = await admin.mcpServers.create({ url: current.url })
    const problems = Object.fromEntries(tools.map(({ name, problem }) => [name, problem]))
    for (const [name, [, problem]] of Object.entries(schemas))
      expect(problems[name], name).toEqual(problem === null ? null : expect.stringContaining(problem))
    for (const name of ['tags', 'zero-width', 'selectors'])
      expect(problems[name], name).toContain('invisible characters')
    expect(problems.emoji).toBeNull()
    expect(problems.long).toContain('longer than 8000 characters')
    const cyclic = tools.find(({ name }) => name === 'cyclic')!
    await expect(
      admin.mcpServers.accept({ id, tools: [{ name: 'cyclic', hash: cyclic.hash }] }),
    ).rejects.toMatchObject({ details: [{ message: expect.stringContaining('cannot be used') }] })
  })

  test("gives tools names that collide neither with each other nor with other servers'", async () => {
    const long = 'x'.repeat(90)
    current.list(
      { name: 'a.b' },
      { name: 'a b' },
      { name: 'a_b' },
      { name: long },
      { name: `${long}y` },
      { name: 'run_action' },
    )
    const servers = [
      await admin.mcpServers.create({ url: current.url, name: 'One' }),
      await admin.mcpServers.create({ url: current.url, name: 'One!' }),
      await admin.mcpServers.create({ url: current.url, name: '‍名前' }),
    ]
    const names = servers.flatMap(({ tools }) => tools.map(({ callName }) => callName))
    expect(new Set(names).size).toBe(18)
    for (const name of names) expect(name).toMatch(/^mcp_(one|one-2|server)_[A-Za-z0-9_-]{1,56}$/)
    expect(Math.max(...names.map(({ length }) => length))).toBe(64)
    expect(servers.map(({ slug }) => slug)).toEqual(['one', 'one-2', 'server'])
  })

  test.each([
    [{ name: 'x-key', value: 'a\r\nx-other: 1' }, 'body.header.value'],
    [{ name: 'x-key\r\nx-other', value: 'abc' }, 'body.header.name'],
    [{ name: 'Host', value: 'inside' }, 'body.header.name'],
    [{ name: 'Mcp-Session-Id', value: 'abc' }, 'body.header.name'],
    [{ name: 'Content-Length', value: '1' }, 'body.header.name'],
  ])('refuses the header %j', async (header, path) => {
    await expect(admin.mcpServers.create({ url: current.url, auth: 'header', header })).rejects.toMatchObject(
      {
        details: [{ path }],
      },
    )
  })

  test('gives no user input to a server that requests it during a call', async () => {
    current.answer(
      () =>
        inputRequired({
          inputRequests: {
            ask: inputRequired.elicit({
              message: 'Your password?',
              requestedSchema: { type: 'object', properties: { password: { type: 'string' } } },
            }),
          },
        }) as never,
    )
    const result = await withSession(
      outbound,
      targetWith(current.url, undefined),
      { bytesMax: 100_000, timeoutMs: 5000 },
      ({ client, options }) => client.callTool({ name: 'search', arguments: {} }, options),
    )
    expect(result).toMatchObject({
      ok: false,
      kind: 'answered',
      message: 'The server responded with the error -32021',
    })
    expect(current.calls).toHaveLength(1)
  })
})
