import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../client/client.ts'
import type { Contract } from '../../../contract/index.ts'
import { buildWebhookApp, type WebhookApp } from '../../../server/testing/clients/webhook-app.ts'
import { startReceiver } from '../../../server/testing/fakes/receiver.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'
import type { RunningCommand } from '../../testing/command.ts'
import { createProxy } from '../../testing/proxy.ts'

let app: WebhookApp
let me: CliUser
/** A client of `me` with a browser session, which can manage webhooks. */
let browser: Client<Contract>
beforeAll(async () => {
  app = await buildWebhookApp()
  await app.app.startWorker()
})
beforeEach(async () => {
  me = await createCliUser(app, 'webhooks')
  browser = await app.withSession(me.person)
  app.receiver.answer((_caught, response) => response.end())
})
const running: RunningCommand[] = []
afterEach(async () => {
  for (const { child, done } of running.splice(0)) {
    child.kill('SIGINT')
    await done
  }
  await me.home.remove()
})
afterAll(() => app.close())

function start(args: string[], server?: string): RunningCommand {
  const command = me.start(args, server)
  running.push(command)
  return command
}

const linesOf = (text: string) => text.trimEnd().split('\n')
const respondGone: Parameters<typeof app.receiver.answer>[0] = (_caught, response) =>
  response.writeHead(410).end('no')

describe('atrium webhooks ls', () => {
  test("lists webhooks, or prints the creation form's URL if there are none", async () => {
    const empty = await me.run(['ls'])
    expect([empty.code, empty.stdout]).toEqual([0, ''])
    expect(empty.stderr).toContain(`${app.url}/webhooks/new`)
    const { id } = await browser.webhooks.create({ name: 'Orders', url: app.receiver.url })
    // A name that is older than the rule for display names.
    await app.sql`update webhooks set name = ${'Or\u001b[2Jders'} where id = ${id}`
    const { stdout } = await me.run(['ls'])
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(/^ID +NAME +STATUS +LAST 24 HOURS +FORWARDS TO$/),
      `${id}  Or�[2Jders  active  no deliveries  ${app.receiver.url}`,
    ])
  })

  test('counts deliveries and failed attempts, and shows a webhook without a forwarding URL', async () => {
    const hook = await browser.webhooks.create({ name: 'Orders', url: app.receiver.url })
    const { id } = await browser.webhooks.create({ name: 'Inbox', source: 'github' })
    const send = async (status: string) => {
      const { eventId } = await browser.webhooks.test({ webhookId: hook.id })
      await expect.poll(async () => (await browser.webhooks.event({ eventId })).status).toBe(status)
    }
    await send('delivered')
    expect((await me.run(['ls'])).stdout).toContain('  1 delivered  ')
    app.receiver.answer(respondGone)
    await send('failed')
    const { stdout } = await me.run(['ls'])
    expect(stdout).toMatch(new RegExp(`${hook.id} +Orders +disabled +1 delivered, failed attempts: 1 +http`))
    expect(stdout).toMatch(new RegExp(`${id} +Inbox +active +no deliveries +-$`, 'm'))
  })
})

describe('atrium webhooks events', () => {
  test('lists events with filters, and shows one event by any of its ids', async () => {
    const hook = await browser.webhooks.create({ name: 'Orders', source: 'shop', url: app.receiver.url })
    const sent = await app.send(
      hook,
      { 'x-webhook-secret': hook.secret, 'webhook-id': 'ord_1' },
      { id: 'ord_1', type: 'order.paid' },
    )
    await app.send(hook, { 'x-webhook-secret': 'wrong' }, { id: 'ord_2', type: 'order.paid' })
    await browser.projects.create({ name: 'Launch' })
    await app.waitForStatus(browser, sent.body.eventId, 'delivered')

    const { stdout } = await me.run(['events'])
    expect(linesOf(stdout)[0]).toMatch(/^ID +WHEN +TYPE +FROM +STATUS$/)
    expect(linesOf(stdout)[1]).toMatch(/^\S+ +\S+ \S+Z +project\.created +atrium +received$/)
    const query = [
      'Orders',
      '--direction',
      'inbound',
      '--status',
      'delivered',
      '--type',
      'order.*',
      '--limit',
      '5',
    ]
    expect((await me.runJson(['events', ...query])).items).toMatchObject([{ externalId: 'ord_1' }])

    const details = (await me.run(['events', 'ord_1'])).stdout
    expect(details).toContain('order.paid  delivered')
    expect(details).toContain('from         shop, received by Orders, verified by secret')
    expect(details).toMatch(/→ Orders {2}\S+ {2}succeeded\n {2}1\. {2}\S+ \S+Z {2}200 {2}\d+ ms/)
    const { deliveries } = await browser.webhooks.event({ eventId: sent.body.eventId })
    expect((await me.runJson(['events', deliveries[0]!.id])).id).toBe(sent.body.eventId)
    const missing = await me.run(['events', 'nowhere'])
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('Webhook or event nowhere not found'),
    ])
  })

  test.each([
    [['events', '--status', 'gone'], 'Invalid status gone'],
    [['events', '--follow', '--limit', '5'], '--follow cannot be combined'],
  ])('rejects %s as invalid usage', async (args, message) => {
    const { code, stderr } = await me.run(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('--follow prints new matching events until interrupted', async () => {
    const following = start(['events', '--follow', '--json', '--type', 'feedback.*'])
    await following.waitForOutput(/Waiting for events/)
    await me.client.projects.create({ name: 'Launch' })
    await me.client.feedback.submit({ message: 'Hello' })
    const line = await following.waitForOutput(/^\{.*\}$/m)
    expect(JSON.parse(line)).toMatchObject({ type: 'feedback.created', direction: 'internal' })
    following.child.kill('SIGINT')
    expect((await following.done).code).toBe(130)
  })
})

describe('atrium webhooks create, test and retry', () => {
  test('create opens the prefilled form and prints the created webhook', async () => {
    const events = 'project.*,file.created'
    const scheme = ['--source', 'shop', '--scheme', 'generic', '--dedup-window', '0']
    const createArgs = ['create', 'My hook', '--wait', '--url', app.receiver.url]
    const creating = start([...createArgs, '--events', events, ...scheme])
    const formUrl = await creating.waitForOutput(/http\S+\/webhooks\/new\?\S+/)
    expect(Object.fromEntries(new URL(formUrl).searchParams)).toEqual({
      name: 'My hook',
      url: app.receiver.url,
      events,
      source: 'shop',
      scheme: 'generic',
      dedupWindowSeconds: '0',
    })
    await expect.poll(me.home.openedUrl).toBe(formUrl)
    await creating.waitForOutput(/Waiting for the browser/)
    await browser.webhooks.create({ name: 'Another' })
    const { id, receiveUrl } = await browser.webhooks.create({ name: 'My hook', url: app.receiver.url })
    const { code, stdout } = await creating.done
    expect(code).toBe(0)
    expect(linesOf(stdout)).toEqual([
      formUrl,
      `${id}  My hook`,
      `receiving URL   ${receiveUrl}`,
      `forwarding URL  ${app.receiver.url}`,
    ])
  })

  test.each([
    ['a scheme that does not exist', ['--scheme', 'md5'], 'must be one of auto, standard'],
    ['an event type that does not exist', ['--events', 'projct.*'], 'Unknown event type projct.*'],
    [
      'a scheme other than that of the source',
      ['--source', 'github', '--scheme', 'secret'],
      'must be github',
    ],
  ])('create refuses %s before a page opens', async (_, options, message) => {
    const { code, stdout, stderr } = await me.run(['create', 'My hook', ...options])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  test('print the URL and exit if there is no terminal', async () => {
    await browser.webhooks.create({ name: 'Orders' })
    for (const args of [['create'], ['test', 'Orders']]) {
      const { code, stdout, stderr } = await me.run([...args, '--no-browser'])
      expect([code, linesOf(stdout)]).toEqual([0, [expect.stringContaining(`${app.url}/webhooks/`)]])
      expect(stderr).toContain('Not waiting for the outcome')
    }
  })

  test('print only the URL with --no-wait and --no-browser', async () => {
    const { id } = await browser.webhooks.create({ name: 'Orders' })
    const flags = ['--no-wait', '--no-browser']
    expect(await me.runJson(['create', ...flags])).toEqual({ code: 0, address: `${app.url}/webhooks/new` })
    const withType = await me.runJson(['test', 'Orders', '--type', 'project.created', ...flags])
    expect(withType.address).toBe(`${app.url}/webhooks/${id}?test=project.created`)
    expect(await me.home.openedUrl()).toBe(null)
  })

  test('test and retry print the delivery outcome and exit 1 if a delivery fails', async () => {
    const { id } = await browser.webhooks.create({ name: 'Orders', url: app.receiver.url })
    app.receiver.answer(respondGone)
    const testing = start(['test', 'Orders', '--wait'])
    await testing.waitForOutput(/Waiting for the browser/)
    const { eventId } = await browser.webhooks.test({ webhookId: id })
    const failed = await testing.done
    expect([failed.code, failed.stdout]).toEqual([
      1,
      expect.stringMatching(/1\. {2}\S+ \S+ {2}410 {2}\d+ ms/),
    ])

    await browser.webhooks.update({ id, status: 'active' })
    app.receiver.answer((_caught, response) => response.end())
    const retrying = start(['retry', eventId, '--json', '--wait'])
    await retrying.waitForOutput(/Waiting for the browser/)
    await expect.poll(me.home.openedUrl).toBe(`${app.url}/webhooks/events/${eventId}`)
    await browser.webhooks.retryEvent({ eventId })
    const { code, stdout } = await retrying.done
    expect([code, JSON.parse(stdout).deliveries]).toMatchObject([0, [{ status: 'succeeded', attempt: 2 }]])
    const again = await me.run(['retry', eventId])
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('This event has no failed deliveries'),
    ])
  })
})

describe('atrium webhooks listen', () => {
  test('rejects a non-HTTP URL as invalid usage', async () => {
    const { code, stderr } = await me.run(['listen', 'x', '--forward', 'ftp://localhost'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a valid URL')])
  })

  test('forwards signed deliveries to a local program, reconnects, and reports an unreachable program', async () => {
    const hook = await browser.webhooks.create({ name: 'Orders', events: ['feedback.*'] })
    const program = await startReceiver((_caught, response) => response.writeHead(204).end())
    const disconnects = new Set<() => void>()
    let isDisconnected = false
    const proxy = await createProxy(app.url, ({ response, forward }) => {
      if (isDisconnected) return response.writeHead(502).end('unavailable')
      disconnects.add(() => response.destroy())
      forward()
    })
    const listening = start(['listen', 'Orders', '--forward', program.url], proxy.url)
    await listening.waitForOutput(/Listening to Orders/)
    await me.client.projects.create({ name: 'Launch' })
    await me.client.feedback.submit({ message: 'One' })
    await listening.waitForOutput(/204 {2}\d+ ms {2}feedback\.created/)

    isDisconnected = true
    for (const disconnect of disconnects) disconnect()
    await listening.waitForOutput(/Connection lost/)
    await me.client.feedback.submit({ message: 'Two' })
    isDisconnected = false
    await listening.waitForOutput(/Reconnected/)
    await expect.poll(() => program.requests.length).toBe(2)
    const ids = new Set(program.requests.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(2)
    for (const { headers, body } of program.requests) {
      expect(new Standard(hook.secret).verify(body, headers)).toMatchObject({ type: 'feedback.created' })
    }

    await program.close()
    await me.client.feedback.submit({ message: 'Three' })
    await listening.waitForOutput(/is unreachable \(connection refused\): is your program running\?/)
    await browser.webhooks.remove({ id: hook.id })
    const { code, stderr } = await listening.done
    expect([code, stderr]).toEqual([4, expect.stringContaining('Webhook not found')])
    await proxy.close()
  })
})

test("members list webhooks and events without contents, and can't open management pages", async () => {
  const hook = await browser.webhooks.create({ name: 'Orders', url: app.receiver.url })
  const sent = await app.send(
    hook,
    { 'x-webhook-secret': hook.secret },
    { type: 'order.paid', card: '4242 4242 4242' },
  )
  await app.sql`update memberships set role = 'member' where user_id = ${me.person.id}`
  const { stdout, stderr } = await me.run(['ls'])
  expect(linesOf(stdout)[1]).toBe(`${hook.id}  Orders  custom  active`)
  expect(stderr).toContain('Only admins and owners can see')
  const details = await me.run(['events', sent.body.eventId])
  expect(details.stdout).toContain('order.paid')
  expect(details.stdout).not.toContain('4242 4242')
  expect(details.stderr).toContain('Only admins and owners can see')
  const commands = [['create'], ['test', 'Orders'], ['retry', sent.body.eventId]]
  for (const args of [...commands, ['listen', 'Orders', '--forward', app.receiver.url]]) {
    const { code, stderr: message } = await me.run(args)
    expect([code, message]).toEqual([4, expect.stringContaining('requires the admin role')])
  }
  expect(await me.home.openedUrl()).toBe(null)
})
