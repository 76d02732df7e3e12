import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, type Headers, shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'

/** Third-party programs, each as a child process with its own home folder. */

const PROGRAMS = join(import.meta.dirname, '../node_modules/.bin')
const NODE = dirname(process.execPath)
const programAt = (name: string) => join(PROGRAMS, name)
const TIMEOUT = 120_000

let app: TestApp
let headers: Headers
let home: string
let proxy: Server
beforeAll(async () => {
  app = await shareTestApp()
  const person = await app.person(await app.organization(), { role: 'owner' })
  headers = bearer(await app.key(person, ['mcp:write']))
  home = await mkdtemp(join(tmpdir(), 'atrium-mcp-'))
  proxy = createServer((received, response) => {
    const options = { method: received.method, headers: { ...received.headers, ...headers } }
    const forwarded = request(`${app.url}${received.url}`, options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    // A client may leave while its request is forwarded.
    forwarded.on('error', () => response.destroy())
    received.pipe(forwarded)
    response.on('close', () => forwarded.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await rm(home, { recursive: true, force: true })
})

const environment = () => ({ PATH: `${PROGRAMS}:${NODE}:/usr/bin:/bin`, HOME: home })

const run = (name: string, args: string[]) =>
  promisify(execFile)(programAt(name), args, { env: environment(), cwd: home, maxBuffer: 100_000_000 })

test(
  'the conformance suite fails only where the baseline gives a reason',
  async () => {
    // The suite sends no token, so a proxy adds one.
    const { port } = proxy.address() as AddressInfo
    const baseline = join(import.meta.dirname, 'conformance-baseline.yaml')
    const { stdout } = await run('conformance', [
      'server',
      ...['--url', `http://127.0.0.1:${port}/mcp`],
      ...['--suite', 'all'],
      ...['--expected-failures', baseline],
    ])
    for (const line of [
      'server-stateless: 23 passed, 5 failed',
      'logging-set-level: 2 passed, 0 failed',
      'ping: 2 passed, 0 failed',
      'http-header-validation: 14 passed, 0 failed',
      'dns-rebinding-protection: 2 passed, 0 failed',
      'caching: 7 passed, 0 failed',
    ])
      expect(stdout).toContain(line)
  },
  TIMEOUT,
)

test(
  'the Inspector calls a tool',
  async () => {
    const { stdout } = await run('mcp-inspector', [
      '--cli',
      `${app.url}/mcp`,
      ...['--header', `Authorization: ${headers.authorization}`],
      ...['--method', 'tools/call', '--tool-name', 'create_project', '--tool-arg', 'name=Inspected'],
    ])
    expect(stdout).toContain('"slug": "inspected"')
  },
  TIMEOUT,
)

test(
  'mcp-remote passes on the tools to a stdio-only client',
  async () => {
    const client = new Client({ name: 'Desk', version: '1' })
    const args = [`${app.url}/mcp`, '--header', `Authorization: ${headers.authorization}`, '--allow-http']
    await client.connect(
      new StdioClientTransport({
        command: programAt('mcp-remote'),
        args,
        env: environment(),
        stderr: 'ignore',
      }),
    )
    expect((await client.listTools()).tools).toHaveLength(28)
    const { structuredContent } = await client.callTool({ name: 'list_projects', arguments: {} })
    expect(structuredContent).toMatchObject({ items: [{ name: 'Inspected' }] })
    await client.close()
  },
  TIMEOUT,
)
