import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerApp } from '../../../server/testing/clients/oauth-app.ts'
import type { Person } from '../../../server/testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'

/** Third-party programs that open a browser: the test approves their requests instead. */

let app: TestApp
let person: Person
let folder: string
beforeAll(async () => {
  app = await shareTestApp()
  person = await app.person(await app.organization())
  folder = await mkdtemp(join(tmpdir(), 'atrium-oauth-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a program until it ends or is stopped; `output` is all that it has printed. */
function start(url: string, args: string[]) {
  // A browser that the program would open must not start.
  const env = { PATH: process.env.PATH, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' }
  const child = spawn(process.execPath, [fileURLToPath(url), ...args], { env, cwd: folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: once(child, 'exit') }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await once(server.close(), 'close')
  return port
}

/** Approves the request whose URL the program prints, and follows the redirect to the program. */
async function approvePrinted(program: ReturnType<typeof start>) {
  const link = new RegExp(`${app.url}/authorize\\?\\S+`)
  await expect.poll(program.output).toMatch(link)
  const request = new URL(link.exec(program.output())![0]).search.slice(1)
  const { redirect } = await (await app.withSession(person)).connectedApps.connect({
    request,
    access: 'write',
  })
  await fetch(redirect)
}

test('the conformance suite passes for the metadata and the code grant', async () => {
  const port = await freePort()
  const client = await registerApp(app, { redirect_uris: ['http://127.0.0.1/callback'] })
  const program = start(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'), [
    ...['authorization', '--url', app.url, '--client-id', client.client_id],
    ...['--resource', `${app.url}/mcp`, '--port', String(port)],
  ])
  await approvePrinted(program)
  const [code] = await program.ended
  expect([code, program.output()]).toEqual([0, expect.stringContaining('Total: 3 passed, 0 failed')])
})

test("mcp-remote connects with its own sign-in and passes on its client's messages", async () => {
  const bridge = start(import.meta.resolve('mcp-remote/dist/proxy.js'), [`${app.url}/mcp`])
  await approvePrinted(bridge)
  const send = (message: object) =>
    bridge.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'stdio-client', version: '1.0.0' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  await expect.poll(bridge.output).toMatch(/"id":1[,}]/)
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } })
  await expect.poll(bridge.output).toContain(person.email)
  bridge.child.stdin.end()
  bridge.child.kill()
  await bridge.ended
})
