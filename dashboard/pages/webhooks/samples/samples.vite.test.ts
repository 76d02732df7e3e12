import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWebhookApp, type WebhookApp } from '../../../../server/testing/clients/webhook-app.ts'
import { parseHeaders } from '../tabs/parse-headers.ts'
import { SAMPLES, type Sample, sampleFor, secretLine } from './samples.tsx'

/** The command that runs a sample, with its options. */
const RUNNERS: Record<string, [string, ...string[]]> = {
  curl: ['sh', '-ec'],
  'curl, signed': ['sh', '-ec'],
  Node: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
}
const REQUIRED_TOOLS: Record<string, string[]> = {
  curl: ['curl'],
  'curl, signed': ['curl', 'openssl'],
  Python: ['python3'],
}

/** Whether to skip a sample on this machine, and the reason. */
function missingTools({ language }: Sample): [boolean, string] {
  const has = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  const missing = (REQUIRED_TOOLS[language] ?? []).filter((name) => !has(name))
  return [missing.length > 0, `this machine has no ${missing.join(' and no ')}`]
}

const run = (sample: Sample, text: string, secret: string) => {
  const [program, ...options] = RUNNERS[sample.language]!
  return spawn(program, [...options, text], { env: { ...process.env, WEBHOOK_SECRET: secret } })
}

async function runToEnd(sample: Sample, receiveUrl: string, secret: string) {
  const child = run(sample, sampleFor(sample, receiveUrl), secret)
  child.stderr.resume()
  await once(child.stdout.resume(), 'close')
}

describe('webhook code samples', () => {
  let app: WebhookApp
  let client: Awaited<ReturnType<WebhookApp['createOwner']>>['client']
  const running: ChildProcess[] = []
  beforeAll(async () => {
    app = await buildWebhookApp()
    await app.app.startWorker()
    client = (await app.createOwner()).client
  })
  afterAll(async () => {
    for (const child of running) child.kill()
    await app.close()
  })

  test.for(SAMPLES.send)(
    '$language sends a request that the server accepts, and rejects if the secret is wrong',
    async (sample, { skip }) => {
      skip(...missingTools(sample))
      const hook = await client.webhooks.create({ name: sample.language })
      for (const secret of [hook.secret, 'whsec_c29tZWJvZHkgZWxzZSBpcyBhc2tpbmc=']) {
        await runToEnd(sample, hook.receiveUrl, secret)
      }
      const { items } = await client.webhooks.eventsOf({ id: hook.id })
      expect(items.map(({ type, status }) => [type, status])).toEqual([
        ['unknown', 'rejected'],
        ['order.paid', 'received'],
      ])
    },
  )

  test.for(SAMPLES.send.filter(({ language }) => language !== 'curl, signed'))(
    '$language signs with a secret from another service',
    async (sample, { skip }) => {
      skip(...missingTools(sample))
      const secret = 'not written as one of ours'
      const { id, receiveUrl } = await client.webhooks.create({ name: sample.language, secret })
      await runToEnd(sample, receiveUrl, secret)
      expect((await client.webhooks.eventsOf({ id })).items).toMatchObject([{ type: 'order.paid' }])
    },
  )

  test.for(SAMPLES.receive)(
    '$language verifies deliveries, including during a secret rotation, and rejects forged requests',
    async (sample, { skip }) => {
      skip(...missingTools(sample))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/`
      const { id: webhookId, secret } = await client.webhooks.create({ name: sample.language, url })
      const child = run(sample, sampleFor(sample, '').replaceAll('4000', String(port)), secret)
      running.push(child)
      await once(child.stdout, 'data')

      await app.waitForStatus(client, (await client.webhooks.test({ webhookId })).eventId, 'delivered')
      await client.webhooks.rotate({ id: webhookId, gracePeriodSeconds: 60 })
      const { eventId } = await client.webhooks.test({ webhookId })
      await app.waitForStatus(client, eventId, 'delivered')
      const [delivery] = (await client.webhooks.event({ eventId })).deliveries
      const { headers } = delivery!.attempts[0]!.request
      expect(headers['webhook-signature']!.split(' ')).toHaveLength(2)
      expect((await fetch(url, { method: 'POST', headers, body: '{"type":"forged"}' })).status).toBe(401)
      expect((await fetch(url, { method: 'POST', body: '{"type":"forged"}' })).status).toBe(401)
    },
  )

  test('quote the secret for the shell', () => {
    const secret = `it's a "secret" $HOME`
    const shell = spawnSync('sh', ['-c', `${secretLine(secret)}; printf %s "$WEBHOOK_SECRET"`])
    expect(shell.stdout.toString()).toBe(secret)
  })
})

test('parseHeaders accepts lines, curl options and JSON', () => {
  const expected = { 'webhook-id': 'msg_1', 'content-type': 'application/json; charset=utf-8' }
  for (const text of [
    'Webhook-Id: msg_1\r\nContent-Type: application/json; charset=utf-8\n\n',
    `curl https://example.com \\\n  -H 'Webhook-Id: msg_1' \\\n  --header "content-type: application/json; charset=utf-8" \\`,
    '{"Webhook-Id": "msg_1", "content-type": "application/json; charset=utf-8"}',
  ]) {
    expect(parseHeaders(text)).toEqual(expected)
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
