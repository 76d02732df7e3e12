import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildHooksApp, type HooksApp } from '../../../../server/testing/clients/webhook-app.ts'
import { parseHeaders } from '../tabs/parse-headers.ts'
import { SAMPLES, type Sample, sampleFor, secretLine } from './sample-texts.ts'

/** How a text becomes a program: what runs it, and the options before it. */
const RUNNERS: Record<string, [string, ...string[]]> = {
  curl: ['sh', '-ec'],
  'curl, signed': ['sh', '-ec'],
  Node: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
}
const NEEDS: Record<string, string[]> = {
  curl: ['curl'],
  'curl, signed': ['curl', 'openssl'],
  Python: ['python3'],
}

/** Whether it cannot be run here, and why. */
function lacking({ language }: Sample): [boolean, string] {
  const has = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  const lacks = (NEEDS[language] ?? []).filter((name) => !has(name))
  return [lacks.length > 0, `this machine has no ${lacks.join(' and no ')}`]
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

describe('the samples of the dashboard', () => {
  let app: HooksApp
  let client: Awaited<ReturnType<HooksApp['owner']>>['client']
  const running: ChildProcess[] = []
  beforeAll(async () => {
    app = await buildHooksApp()
    await app.app.startWorker()
    client = (await app.owner()).client
  })
  afterAll(async () => {
    for (const child of running) child.kill()
    await app.close()
  })

  test.for(SAMPLES.send)(
    'send with $language what the receiver takes as genuine, and refuses with another secret',
    async (sample, { skip }) => {
      skip(...lacking(sample))
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
    'send with $language also with a secret that somebody else made',
    async (sample, { skip }) => {
      skip(...lacking(sample))
      const secret = 'not written as one of ours'
      const { id, receiveUrl } = await client.webhooks.create({ name: sample.language, secret })
      await runToEnd(sample, receiveUrl, secret)
      expect((await client.webhooks.eventsOf({ id })).items).toMatchObject([{ type: 'order.paid' }])
    },
  )

  test.for(SAMPLES.receive)(
    'verify with $language what is delivered, also while a secret is replaced, and refuse what is not genuine',
    async (sample, { skip }) => {
      skip(...lacking(sample))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/`
      const { id: webhookId, secret } = await client.webhooks.create({ name: sample.language, url })
      const child = run(sample, sampleFor(sample, '').replaceAll('4000', String(port)), secret)
      running.push(child)
      await once(child.stdout, 'data')

      await app.becomes(client, (await client.webhooks.test({ webhookId })).eventId, 'delivered')
      await client.webhooks.rotate({ id: webhookId, gracePeriodSeconds: 60 })
      const { eventId } = await client.webhooks.test({ webhookId })
      await app.becomes(client, eventId, 'delivered')
      const [delivery] = (await client.webhooks.event({ eventId })).deliveries
      const { headers } = delivery!.attempts[0]!.request
      expect(headers['webhook-signature']!.split(' ')).toHaveLength(2)
      expect((await fetch(url, { method: 'POST', headers, body: '{"type":"forged"}' })).status).toBe(401)
      expect((await fetch(url, { method: 'POST', body: '{"type":"forged"}' })).status).toBe(401)
    },
  )

  test('put the secret into the shell as it is', () => {
    const secret = `it's a "secret" $HOME`
    const shell = spawnSync('sh', ['-c', `${secretLine(secret)}; printf %s "$WEBHOOK_SECRET"`])
    expect(shell.stdout.toString()).toBe(secret)
  })
})

test('headers are understood however they were copied', () => {
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
