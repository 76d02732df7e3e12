import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publishIn } from '../../../events/publish.ts'
import { queueMail } from '../../../mail/mail.ts'
import { startCarrier } from '../../../testing/carrier/carrier.ts'
import { openRunStream, script } from '../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../testing/clients/chat-client.ts'
import { sendHalf } from '../../../testing/clients/half-sent.ts'
import { openCanvasStream } from '../../../testing/clients/live.ts'
import { createMcpClient } from '../../../testing/clients/mcp.ts'
import { createCarrier, phoneTenant } from '../../../testing/clients/phone-app.ts'
import {
  createSharedProject,
  guestHeaders,
  openShare,
  readCanvas,
} from '../../../testing/factories/sharing.ts'
import { putBytes } from '../../../testing/factories/uploads.ts'
import { mailsTo } from '../../../testing/fakes/mailbox.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

const TIMEOUTS = { timeout: 30_000, interval: 20 }
const REASON = 'The invoice of October is not paid'

let app: TestApp
/** A second process on the same database. */
let other: TestApp
let carrier: Awaited<ReturnType<typeof startCarrier>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let operator: Awaited<ReturnType<TestApp['operator']>>
beforeAll(async () => {
  ;[carrier, receiver] = [await startCarrier(), await startReceiver()]
  const env = { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ATRIUM_CONNECTOR_TWILIO_URL: carrier.url }
  app = await buildTestApp({ mail: true, env })
  other = await buildTestApp({ on: app.connection, env })
  await app.app.startWorker()
  operator = await app.operator()
})
afterAll(async () => {
  await other.close()
  await app.close()
  await Promise.all([carrier.close(), receiver.close()])
})
beforeEach(() => app.sql`delete from rate_limits`)

/** Creates a session for each call: its step-up is recent after the clock has advanced. */
const operatorClient = () => app.withSession(operator.person)
const suspend = async (id: string) =>
  (await operatorClient()).operatedOrganizations.suspend({ id, reason: REASON })
const resume = async (id: string) => (await operatorClient()).operatedOrganizations.resume({ id })

const SUSPENDED = { code: 'FORBIDDEN', details: { reason: 'organization_suspended' } }
const reasonOf = ({
  status,
  body,
}: {
  status: number
  body: { error?: { details?: { reason?: string } } }
}) => [status, body?.error?.details?.reason]

describe('suspended organization', () => {
  test('is closed to members, keys, MCP apps, share links and signed URLs in every process until resumed', async () => {
    const { project, browser, token } = await createSharedProject(app)
    const { org, creator } = project
    const key = bearer(await app.key(creator, ['models:read', 'files:write', 'files:read']))
    const guest = await guestHeaders(app, token)
    const { uploadUrl } = (
      await app.request('POST', '/api/v1/files', {
        headers: key,
        body: { name: 'a.txt', mimeType: 'text/plain', size: 3 },
      })
    ).body.data
    const page = await suspend(org.id)
    expect(page).toMatchObject({
      status: 'suspended',
      suspension: { reason: REASON, by: { id: operator.person.id } },
    })
    await expect
      .poll(async () => reasonOf(await other.request('GET', '/api/v1/org', { headers: key }))[0])
      .toBe(403)

    await expect(browser.organization.get()).rejects.toMatchObject(SUSPENDED)
    await expect(browser.organization.get()).rejects.toThrow(REASON)
    await expect(app.as(key).files.list({})).rejects.toMatchObject(SUSPENDED)
    expect(reasonOf(await createMcpClient(app, key).send('tools/list'))).toEqual([
      403,
      'organization_suspended',
    ])
    const seen = await readCanvas(app, project, guest)
    expect(reasonOf(seen)).toEqual([403, 'organization_suspended'])
    expect(JSON.stringify(seen.body)).not.toContain(REASON)
    expect(reasonOf(await openShare(app, { token }))).toEqual([403, 'organization_suspended'])
    expect(reasonOf(await putBytes(uploadUrl, 'abc'))).toEqual([403, 'organization_suspended'])

    // The account of a person stays open, and shows the reason of the suspension.
    const session = await browser.accounts.session()
    expect(session.suspension).toMatchObject({ reason: REASON, eraseAfter: null })
    await browser.security.overview()
    const owner = await mailsTo(app, creator.email)
    expect(owner.map(({ subject }) => subject)).toContain('Engines was suspended')

    expect(await resume(org.id)).toMatchObject({ status: 'active', suspension: null })
    expect(await browser.organization.get()).toMatchObject({ id: org.id })
    expect((await readCanvas(app, project, guest)).status).toBe(200)
    expect((await putBytes(uploadUrl, 'abc')).status).toBe(200)
    const { items } = await browser.organization.audit({})
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.suspended', 'organization.resumed']),
    )
    const events = await app.sql<{ type: string }[]>`select type from events where org_id = ${org.id}`
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['organization.suspended', 'organization.resumed']),
    )
    await expect(resume(org.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('ends member and guest streams, and an upload in progress stores nothing', async () => {
    const { project, token } = await createSharedProject(app)
    const session = cookie(await app.session(project.creator))
    const guest = await guestHeaders(app, token)
    const streams = [
      await openCanvasStream(app, project, { headers: session }),
      await openCanvasStream(app, project, { headers: guest }),
      await openCanvasStream(other, project, { headers: session }),
    ]
    const half = await sendHalf(`${app.url}/api/v1/files`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'multipart/form-data; boundary=edge' },
      body: [
        '--edge',
        'content-disposition: form-data; name="file"; filename="notes.txt"',
        'content-type: text/plain',
        '',
        'line\n'.repeat(40_000),
        '--edge--',
        '',
      ].join('\r\n'),
    })
    await suspend(project.org.id)
    for (const stream of streams) await expect.poll(stream.hasEnded, TIMEOUTS).toBe(true)
    expect(reasonOf(await half.finish())).toEqual([403, 'organization_suspended'])
    expect(await app.sql`select from files where org_id = ${project.org.id} and source = 'upload'`).toEqual(
      [],
    )
    const again = await openCanvasStream(app, project, { headers: session })
    expect(again.status).toBe(403)
  })

  test('returns 503 to webhook senders and tells callers the number is unavailable', async () => {
    const { number, person, agentId, addRule } = await phoneTenant(app, carrier)
    await addRule({ type: 'agent', agentId })
    const client = await app.withSession(person)
    const hook = await client.webhooks.create({ name: 'In' })
    const send = () =>
      app.request('POST', new URL(hook.receiveUrl).pathname, {
        headers: { 'x-webhook-secret': hook.secret },
        body: { type: 'a' },
      })
    const call = (CallSid: string) =>
      createCarrier(app, number).send({
        route: 'voice',
        fields: {
          From: '+4915112345678',
          To: number.e164,
          CallSid,
          CallStatus: 'ringing',
          Direction: 'inbound',
        },
      })
    await suspend(number.orgId)
    const refused = await send()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3600'])
    // Without the secret, the response reveals nothing about the organization.
    const path = new URL(hook.receiveUrl).pathname
    expect((await app.request('POST', path, { body: { type: 'a' } })).status).toBe(401)
    const spoken = await call('CA1')
    expect(spoken.text).toContain('not available at the moment')
    expect(await app.sql`select from calls where org_id = ${number.orgId}`).toEqual([])
    // A text message cannot be sent again by its carrier: it is stored, and handled later.
    const sms = { MessageSid: 'SM1', From: '+4915112345678', To: number.e164, Body: 'Hello' }
    expect((await createCarrier(app, number).send({ route: 'sms', fields: sms })).status).toBeLessThan(300)
    await resume(number.orgId)
    expect((await send()).status).toBe(202)
    expect((await call('CA2')).text).not.toContain('not available')
  })
})

describe('a suspension', () => {
  test('pauses a run mid-answer and extends its time limit', async () => {
    const chat = await createChatClient(app)
    const { runId } = await chat.startStreaming('one')
    const read = async () => {
      const [row] = await app.sql<{ lease: number; status: string; deadline: number }[]>`
        select lease, status, extract(epoch from deadline_at)::float8 as deadline from runs where id = ${runId}`
      return row!
    }
    const stream = await openRunStream(app, runId, cookie(await app.session(chat.person)))
    await suspend(chat.org.id)
    await expect.poll(stream.hasEnded, TIMEOUTS).toBe(true)
    // The model call has ended, and the run is due.
    await expect
      .poll(() => app.sql`select from runs where id = ${runId} and due_at <= ${app.clock.now()}`, TIMEOUTS)
      .toHaveLength(1)
    const before = await read()
    app.clock.advance(86_400)
    const { id } = chat.org
    await (await operatorClient()).erasures.requestOf({ id, name: chat.org.name })
    app.clock.advance(2 * 86_400)
    // The run of another organization shows that workers claim meanwhile.
    const other = await createChatClient(app)
    await other.waitForEnd((await other.start(script('say x'))).runId)
    expect(await read()).toEqual({ ...before, status: 'running' })
    // The organization is closed for two reasons, one after the other: both durations extend the time limit.
    await resume(id)
    await (await operatorClient()).erasures.cancelOf({ id })
    await expect.poll(() => chat.text(runId), TIMEOUTS).toBe('oneone')
    expect((await read()).deadline - before.deadline).toBeGreaterThanOrEqual(3 * 86_400)
    await chat.client.agentRuns.cancel({ id: runId })
    expect((await chat.waitForEnd(runId)).status).toBe('canceled')
  })

  test('delays schedules, deliveries and emails until the organization resumes', async () => {
    const { org, person } = await app.newUser({ role: 'owner', verified: true })
    const client = await app.withSession(person)
    const { id: projectId } = await app.project(person)
    const agent = await client.agents.create({ name: 'Player', model: 'test/script' })
    const schedule = await client.schedules.create({
      projectId,
      agentId: agent.id,
      message: script('say done'),
      cron: '0 * * * *',
    })
    await client.webhooks.create({ name: 'Out', url: receiver.url, events: ['organization.*'] })
    const before = receiver.requests.length
    const received = () => receiver.requests.slice(before).map(({ body }) => JSON.parse(body).type)
    await suspend(org.id)
    // The event of the suspension itself may be delivered before every worker has read the suspension.
    const data = { organizationId: org.id, exportId: org.id }
    await publishIn(app.sql, org.id, app.clock.now(), { type: 'organization.exported', data })
    const mail = (orgId: string) => {
      const content = { id: `of-${orgId}`, to: person.email, subject: 'Hello', text: 'Hello' }
      return queueMail(app.sql, orgId, content, app.clock.now())
    }
    const isSent = async (orgId: string) =>
      (await app.sql`select from mails where id = ${`of-${orgId}`} and sent_at is not null`).length === 1
    await mail(org.id)
    app.clock.advance(2 * 3600)
    // The other organization shows that workers run meanwhile.
    const chat = await createChatClient(app)
    await chat.waitForEnd((await chat.start(script('say x'))).runId)
    await mail(chat.org.id)
    await expect.poll(() => isSent(chat.org.id), TIMEOUTS).toBe(true)
    expect(await isSent(org.id)).toBe(false)
    const [waiting] =
      await app.sql`select next_run_at <= ${app.clock.now()} as due, last_run_id from schedules where id = ${schedule.id}`
    expect(waiting).toEqual({ due: true, last_run_id: null })
    expect(received()).not.toContain('organization.exported')
    await resume(org.id)
    await expect
      .poll(async () => (await client.agentRuns.list({ scheduleId: schedule.id })).items.length, TIMEOUTS)
      .toBe(1)
    await expect
      .poll(received, TIMEOUTS)
      .toEqual(
        expect.arrayContaining(['organization.suspended', 'organization.exported', 'organization.resumed']),
      )
    await expect.poll(() => isSent(org.id), TIMEOUTS).toBe(true)
  })
})

test("an operator's only active organization cannot be suspended, nor the last two concurrently", async () => {
  const refused = { code: 'CONFLICT', details: { reason: 'operator_organization' } }
  await expect(suspend(operator.person.orgId)).rejects.toMatchObject(refused)
  const { person } = await app.operator()
  const second = await app.organization()
  await app.join(person, second)
  const results = await Promise.allSettled([suspend(person.orgId), suspend(second.id)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refused })
})
