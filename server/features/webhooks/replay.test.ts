import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWebhookApp, type WebhookApp } from '../../testing/clients/webhook-app.ts'
import { startReceiver } from '../../testing/fakes/receiver.ts'
import { bearer, cookie } from '../../testing/test-app.ts'

let app: WebhookApp
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  app = await buildWebhookApp()
  await app.app.startWorker()
  receiver = await startReceiver()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

const REPLAY = '/api/v1/webhooks/events/replay'
const EXPORT = '/api/v1/webhooks/events/export'

/** An owner with a delivered event, a second webhook, and a project event. */
async function createLog() {
  const owner = await app.createOwner()
  const { client } = owner
  const first = await client.webhooks.create({ name: 'First', url: app.receiver.url, events: ['feedback.*'] })
  const second = await client.webhooks.create({ name: 'Second', url: receiver.url, events: ['file.created'] })
  await client.feedback.submit({ message: 'Hello' })
  await expect
    .poll(async () => (await client.webhooks.events({ type: 'feedback.created' })).items[0]?.status)
    .toBe('delivered')
  const event = (await client.webhooks.events({ type: 'feedback.created' })).items[0]!
  return { ...owner, first, second, event }
}

describe('event replay', () => {
  test('delivers an event again under its id, with a new delivery id in a header', async () => {
    const { client, second, event, person } = await createLog()
    const before = receiver.requests.length
    const { deliveries } = await client.webhooks.replay({
      webhookId: second.id,
      eventIds: [event.id, event.id],
    })
    expect(deliveries).toEqual([{ eventId: event.id, deliveryId: expect.any(String) }])
    await expect.poll(() => receiver.requests.length).toBe(before + 1)
    const { headers, body } = receiver.requests.at(-1)!
    expect([headers['webhook-id'], headers['webhook-replay']]).toEqual([event.id, deliveries[0]!.deliveryId])
    expect(new Standard(second.secret).verify(body, headers as Record<string, string>)).toMatchObject({
      id: event.id,
      type: 'feedback.created',
    })
    await expect
      .poll(async () =>
        (await client.webhooks.event({ eventId: event.id })).deliveries.map(({ status }) => status),
      )
      .toEqual(['succeeded', 'succeeded'])
    const [original] = app.receiver.requests.filter((sent) => sent.headers['webhook-id'] === event.id)
    expect(original!.headers).not.toHaveProperty('webhook-replay')
    const audit = await client.organization.audit({ action: 'webhook.replayed' })
    expect(audit.items).toMatchObject([
      {
        actor: { id: person.id },
        target: second.id,
        details: { name: 'Second', events: '1' },
        link: `/webhooks/${second.id}`,
      },
    ])
  })

  test('is refused as a whole for another organization, an inactive webhook or a rejected event', async () => {
    const { client, first, second, event } = await createLog()
    const stranger = await createLog()
    const count = async () => (await client.webhooks.event({ eventId: event.id })).deliveries.length
    const refused = [
      [{ webhookId: stranger.second.id, eventIds: [event.id] }, 'NOT_FOUND'],
      [{ webhookId: second.id, eventIds: [event.id, stranger.event.id] }, 'NOT_FOUND'],
      [{ webhookId: second.id, eventIds: [] }, 'BAD_REQUEST'],
      [{ webhookId: second.id, eventIds: Array(101).fill(event.id) }, 'BAD_REQUEST'],
    ] as const
    for (const [input, code] of refused)
      await expect(client.webhooks.replay({ ...input, eventIds: [...input.eventIds] })).rejects.toMatchObject(
        { code },
      )
    await app.send(first, { 'x-webhook-secret': 'not the secret' }, { id: 'x', type: 'order' })
    const rejected = (await client.webhooks.events({ status: 'rejected' })).items[0]!
    await expect(
      client.webhooks.replay({ webhookId: second.id, eventIds: [event.id, rejected.id] }),
    ).rejects.toMatchObject({
      message: 'body.eventIds must not contain a rejected event: it was not verified',
    })
    await client.webhooks.update({ id: second.id, status: 'paused' })
    await expect(
      client.webhooks.replay({ webhookId: second.id, eventIds: [event.id] }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect([
      await count(),
      (await stranger.client.webhooks.event({ eventId: stranger.event.id })).deliveries.length,
    ]).toEqual([1, 1])
  })

  test('needs an admin in a browser with step-up, and is rate-limited', async () => {
    const { org, person, second, event } = await createLog()
    const body = { webhookId: second.id, eventIds: [event.id] }
    const member = await app.person(org)
    const callers = [
      [bearer(await app.key(person)), 403, 'browser_session_required'],
      [cookie(await app.session(member)), 403, 'role_required'],
      [cookie(await app.session(person, { steppedUp: false })), 403, 'step_up_required'],
    ] as const
    for (const [headers, status, reason] of callers) {
      const answer = await app.request('POST', REPLAY, { headers, body })
      expect([answer.status, answer.body.error.details.reason]).toEqual([status, reason])
    }
    const headers = cookie(await app.session(person))
    const statuses = []
    for (let call = 0; call < 11; call++)
      statuses.push((await app.request('POST', REPLAY, { headers, body })).status)
    expect(statuses).toEqual([...Array(10).fill(202), 429])
  })
})

describe('event log names', () => {
  test('are shown only if visible: members see neither a private project nor its actor', async () => {
    const { org, client, person } = await app.createOwner()
    const member = await app.person(org, { name: 'Mary' })
    const asMember = await app.withSession(member)
    const team = await asMember.projects.create({ name: 'Open plan' })
    const privateProject = await asMember.projects.create({ name: 'Hidden plan', visibility: 'private' })
    const ownerProject = await client.projects.create({ name: 'Owner only', visibility: 'private' })
    const namesFor = async (viewer: typeof client) =>
      Object.fromEntries(
        (await viewer.webhooks.events({ type: 'project.created' })).items.map(({ id, actor, subject }) => [
          id,
          [actor?.name ?? null, subject?.name ?? null],
        ]),
      )
    const events = (await client.webhooks.events({ type: 'project.created' })).items.map(
      ({ id, payload }) => ({
        id,
        projectId: (payload as { projectId: string }).projectId,
      }),
    )
    const idOf = (projectId: string) => events.find((event) => event.projectId === projectId)!.id
    expect(await namesFor(client)).toEqual({
      [idOf(team.id)]: ['Mary', 'Open plan'],
      [idOf(privateProject.id)]: ['Mary', null],
      [idOf(ownerProject.id)]: [person.name, 'Owner only'],
    })
    expect(await namesFor(asMember)).toEqual({
      [idOf(team.id)]: ['Mary', 'Open plan'],
      [idOf(privateProject.id)]: ['Mary', 'Hidden plan'],
      [idOf(ownerProject.id)]: [null, null],
    })
    const event = await client.webhooks.event({ eventId: idOf(team.id) })
    expect(event.subject).toEqual({
      type: 'project',
      id: team.id,
      name: 'Open plan',
      path: `/projects/${team.id}`,
    })
  })

  test("are not looked up for ids in a sender's payload", async () => {
    const { client, person } = await app.createOwner()
    const hook = await client.webhooks.create({ name: 'In', source: 'shop' })
    const { id: projectId } = await client.projects.create({ name: 'Plan' })
    await app.send(
      hook,
      { 'x-webhook-secret': hook.secret },
      { id: 'a', type: 'order', by: person.id, projectId },
    )
    const [event] = (await client.webhooks.events({ type: 'order' })).items
    expect(event).toMatchObject({ actor: null, subject: null })
  })
})

describe('event export', () => {
  test('has the filtered events with names, is recorded, and is for admins only', async () => {
    const { org, client, person, event, first } = await createLog()
    const headers = bearer(await app.key(person))
    const lines = async (query: string) =>
      (await app.request('GET', `${EXPORT}?${query}`, { headers })).text.trim().split(/\r?\n/)
    const found = (await lines('type=feedback.*')).map((line) => JSON.parse(line))
    expect(found).toMatchObject([{ id: event.id, actor: { name: person.name }, payload: event.payload }])
    const csv = await lines(`format=csv&webhookId=${first.id}`)
    expect(csv[0]).toBe('time,id,type,direction,source,status,webhook,external_id,actor,subject,payload')
    expect(csv.slice(1)).toEqual([expect.stringContaining(event.id)])
    const later = new Date(Date.now() + 60_000).toISOString()
    expect(await lines(`from=${later}`)).toEqual([''])
    expect(await lines(`to=${later}`)).toEqual([expect.stringContaining(event.id)])
    expect((await client.organization.audit({ action: 'events.exported' })).items).toHaveLength(4)

    for (const by of [
      bearer(await app.key(await app.person(org))),
      cookie(await app.session(await app.person(org))),
    ])
      expect((await app.request('GET', EXPORT, { headers: by })).status).toBe(403)
    const stranger = await app.createOwner()
    const strangerHeaders = bearer(await app.key(stranger.person))
    const foreign = await app.request('GET', `${EXPORT}?webhookId=${first.id}`, { headers: strangerHeaders })
    expect(foreign.status).toBe(404)
    const { text } = await app.request('GET', `${EXPORT}?search=${event.id}`, { headers: strangerHeaders })
    expect(text).toBe('')
  })
})

test('the event list can be limited to a time range', async () => {
  const { client, event } = await createLog()
  const at = (ms: number) => new Date(Date.parse(event.receivedAt) + ms).toISOString()
  const ids = async (range: { from?: string; to?: string }) =>
    (await client.webhooks.events({ type: 'feedback.created', ...range })).items.map(({ id }) => id)
  expect(await ids({ from: at(-60_000), to: at(60_000) })).toEqual([event.id])
  expect(await ids({ to: at(-60_000) })).toEqual([])
  expect(await ids({ from: at(60_000) })).toEqual([])
})
