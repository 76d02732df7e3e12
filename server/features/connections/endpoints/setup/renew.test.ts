import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  buildEndpointApp,
  createConnectedUser,
  type EndpointApp,
} from '../../../../testing/clients/endpoint-app.ts'
import { renewAll } from './renew.ts'

const DAY_S = 86_400
const MINUTE_S = 60
const FIELDS = { teamId: '11111111-1111-1111-1111-111111111111', channelId: '19:abc@thread.tacv2' }

let app: EndpointApp
beforeAll(async () => {
  app = await buildEndpointApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.reset()
  await app.sql`delete from rate_limits`
  await app.sql`update connector_endpoints set registration_due_at = null`
})

/** The work of the schedule, every five minutes. */
const runSchedule = (options: object = {}) =>
  renewAll({ ...app.endpointOptions, ...options })(app.app.system())

/** An endpoint of a channel of Teams, whose subscription ends after two and a half days. */
async function createSubscription() {
  let refusal: number | null = null
  const calls: string[] = []
  app.answerWith((path, _body, method) => {
    if (!path.includes('/subscriptions')) return { json: {} }
    calls.push(method)
    return refusal === null
      ? { json: { id: `sub-${calls.length}` } }
      : { status: refusal, json: { error: { code: 'Broken', message: 'the provider is down' } } }
  })
  const setup = await createConnectedUser(app, 'microsoft-teams')
  const endpoint = await setup.create({ name: 'Support', fields: FIELDS })
  const current = () => setup.client.connectorEndpoints.get({ id: endpoint.id })
  const mails = () => app.sql<{ body: string }[]>`
    select body from mails where recipient = ${setup.person.email} and subject like '%is not registered%'`
  const refuseWith = (status: number | null) => {
    refusal = status
  }
  return { ...setup, endpoint, calls, current, mails, refuseWith }
}

describe('an expiring subscription', () => {
  test('is renewed a day later, not before, and recreated if the provider has forgotten it', async () => {
    const { calls, current, refuseWith } = await createSubscription()
    app.clock.advance(DAY_S - MINUTE_S)
    await runSchedule()
    expect(calls).toEqual(['POST'])
    app.clock.advance(2 * MINUTE_S)
    await Promise.all([runSchedule(), runSchedule()])
    expect(calls).toEqual(['POST', 'PATCH'])
    const { expirationDateTime } = JSON.parse(app.sentTo('/subscriptions').at(-1)!.body)
    expect(Date.parse(expirationDateTime)).toBeGreaterThan(app.clock.now().getTime() + 2 * DAY_S * 1000)
    expect(await current()).toMatchObject({ registration: 'registered', registrationError: null })

    app.clock.advance(DAY_S)
    refuseWith(404)
    await runSchedule()
    expect(calls).toEqual(['POST', 'PATCH', 'PATCH', 'POST'])
    refuseWith(null)
    app.clock.advance(DAY_S)
    await runSchedule()
    expect((await current()).registration).toBe('registered')
  })

  test("is replaced after six days if it's a Google channel, and the previous channel is stopped", async () => {
    app.answerWith((path, body) =>
      path.endsWith('/watch') ? { json: { id: JSON.parse(body).id, resourceId: 'r1' } } : { json: {} },
    )
    const { create } = await createConnectedUser(app, 'google-calendar')
    await create({ name: 'Meetings', reply: 'off' })
    const bodiesOf = (part: string) => app.sentTo(part).map(({ body }) => JSON.parse(body))
    app.clock.advance(6 * DAY_S - MINUTE_S)
    await runSchedule()
    expect(bodiesOf('/watch')).toHaveLength(1)
    app.clock.advance(2 * MINUTE_S)
    await runSchedule()
    const [first, second, ...others] = bodiesOf('/watch')
    expect(others).toEqual([])
    expect(second).toMatchObject({ address: first.address, token: first.token })
    expect(second.id).not.toBe(first.id)
    expect(Number(second.expiration)).toBeGreaterThan(app.clock.now().getTime() + 6 * DAY_S * 1000)
    expect(bodiesOf('/channels/stop')).toEqual([{ id: first.id, resourceId: 'r1' }])
    app.clock.advance(6 * DAY_S)
    await runSchedule()
    expect(bodiesOf('/channels/stop')).toMatchObject([{ id: first.id }, { id: second.id }])
  })

  test('is renewed immediately when the provider announces its end in a notification with the secret', async () => {
    const { endpoint, calls } = await createSubscription()
    const { clientState } = JSON.parse(app.sentTo('/subscriptions').at(-1)!.body)
    const notify = async (secret: string) => {
      const value = [
        { clientState: secret, lifecycleEvent: 'reauthorizationRequired', subscriptionId: 'sub-1' },
      ]
      const { status } = await app.request('POST', new URL(endpoint.url).pathname, { body: { value } })
      await runSchedule()
      return status
    }
    expect([await notify('guessed'), calls.length]).toEqual([401, 1])
    expect([await notify(clientState), calls]).toEqual([202, ['POST', 'PATCH']])
  })

  test('is retried when renewal fails, then shown as a problem, and its owner gets one mail', async () => {
    const { endpoint, calls, current, mails, refuseWith } = await createSubscription()
    refuseWith(503)
    app.clock.advance(DAY_S)
    for (const minutes of [1, 2, 4]) {
      await runSchedule()
      const { registration, registrationError, renewsAt, updatedAt } = await current()
      expect([registration, registrationError]).toEqual(['registered', 'the provider is down'])
      expect(Date.parse(renewsAt!) - Date.parse(updatedAt)).toBe(minutes * MINUTE_S * 1000)
      app.clock.advance(minutes * MINUTE_S)
    }
    expect(await mails()).toEqual([])
    for (let more = 0; more < 3; more++) {
      await runSchedule()
      app.clock.advance(DAY_S / 4)
    }
    expect(calls).toEqual(['POST', ...Array(6).fill('PATCH')])
    expect((await current()).registration).toBe('failed')
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail!.body).toContain(`/integrations/${endpoint.connectionId}`)
    expect(mail!.body).not.toContain('the provider is down')
    refuseWith(null)
    await runSchedule()
    expect(await current()).toMatchObject({ registration: 'registered', registrationError: null })
  })

  test('is a problem immediately if refused, and renewed when its connection works if waiting for it', async () => {
    const { current, mails, refuseWith, setStatus, calls } = await createSubscription()
    await setStatus('expired')
    app.clock.advance(3 * DAY_S)
    await runSchedule()
    expect(calls).toEqual(['POST'])
    await setStatus('active')
    refuseWith(403)
    await runSchedule()
    expect([(await current()).registration, (await mails()).length]).toEqual(['failed', 1])
  })

  test("reports the server's missing public URL", async () => {
    const { current, calls } = await createSubscription()
    app.clock.advance(DAY_S)
    const { 'microsoft-teams': _, ...connectors } = app.endpointOptions.connectors
    await runSchedule({ publicUrl: null, connectors })
    const { registration, registrationError } = await current()
    expect([registration, calls.length]).toEqual(['failed', 1])
    expect(registrationError).toContain('set ATRIUM_PUBLIC_URL')
  })
})
