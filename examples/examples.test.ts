import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../bench/program.ts'
import { PASSWORD } from '../server/testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'

/** Runs each example as its README says, in a process of its own, against a server on loopback. */

const ROOT = join(import.meta.dirname, '..')

let app: TestApp
let environment: Record<string, string>
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
  const person = await app.person(await app.organization(), { role: 'owner', password: PASSWORD })
  const { key } = await app.key(person, ['agents:write', 'mcp:write'])
  environment = {
    PATH: process.env.PATH!,
    HOME: app.dataFolder,
    ATRIUM_SERVER: app.url,
    ATRIUM_API_KEY: key,
    ATRIUM_EMAIL: person.email,
    ATRIUM_PASSWORD: PASSWORD,
  }
})
afterAll(() => app.close())

const run = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: environment })).stdout

describe('the examples', () => {
  test('include a webhook receiver that accepts only signed deliveries', async () => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const owner = await app.withSession(await app.person(await app.organization(), { role: 'owner' }))
    const hook = await owner.webhooks.create({ name: 'Example', url, events: ['project.created'] })
    const receiver = spawn(process.execPath, ['examples/webhook-receiver/receiver.ts'], {
      cwd: ROOT,
      env: { ...environment, PORT: port, WEBHOOK_SECRET: hook.secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let output = ''
      receiver.stdout.on('data', (chunk) => {
        output += chunk
      })
      await expect.poll(() => output).toContain('Listening')
      const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
      const forged = { ...headers, 'webhook-signature': 'v1,AAAA' }
      expect((await fetch(url, { method: 'POST', headers: forged, body: '{"type":"forged"}' })).status).toBe(
        401,
      )
      await owner.webhooks.test({ webhookId: hook.id })
      await expect.poll(() => output).toMatch(/^webhook\.test$/m)
      expect(output).not.toContain('forged')
    } finally {
      receiver.kill()
      await once(receiver, 'exit')
    }
  })

  test('include an MCP client that adds a note to a canvas', async () => {
    const output = await run('examples/mcp-client/client.ts', 'Launch plan', 'Call the printer')
    expect(output).toMatch(/^Tools: .*edit_canvas/m)
    expect(output).toContain('Call the printer')
  })

  test('include a custom connector whose tools agents can use', async () => {
    const output = await run('examples/custom-connector/create.ts')
    expect(output).toBe(
      'custom-warehouse_find_order  effect: read  risk: none\n' +
        'custom-warehouse_cancel_order  effect: once  risk: send\n',
    )
  })

  test('include an agent as YAML that applies once, and changes nothing the second time', async () => {
    const apply = () => run('cli/atrium.js', 'agents', 'apply', 'examples/agent-as-yaml/agent.yaml', '--yes')
    expect(await apply()).toContain('+ agent Release writer')
    expect(await apply()).toBe('  agent Release writer\n')
  })

  test('include a canvas script that draws a board', async () => {
    const output = await run(
      'examples/canvas-script/board.ts',
      'Print run',
      'Choose the paper',
      'Ask for quotes',
    )
    expect(output).toBe(`Drew 5 blocks: ${app.url}/projects/print-run\n`)
  })
})
