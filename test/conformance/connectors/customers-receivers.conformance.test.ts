import { expect, test } from 'vitest'
import { builtIn } from '../../../server/features/connections/connectors/catalog/catalog.ts'
import { hubspotReceiver } from '../../../server/features/connections/connectors/catalog/customers/hubspot.ts'
import { intercomReceiver } from '../../../server/features/connections/connectors/catalog/customers/intercom.ts'
import { zendeskReceiver } from '../../../server/features/connections/connectors/catalog/customers/zendesk.ts'
import { resendReceiver } from '../../../server/features/connections/connectors/catalog/mail/resend.ts'
import { sendgridReceiver } from '../../../server/features/connections/connectors/catalog/mail/sendgrid.ts'
import { pagerdutyReceiver } from '../../../server/features/connections/connectors/catalog/operations/pagerduty.ts'
import { sentryReceiver } from '../../../server/features/connections/connectors/catalog/operations/sentry.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import type { ReceiverDefinition } from '../../../server/features/connections/connectors/definition/receiver.ts'
import { hmac } from '../../../server/security/hmac.ts'

const NOW = new Date(1_614_265_330_000)

test("hubspot accepts its SDK's vector and normalizes its own account's events", () => {
  const headers = {
    'x-hubspot-signature-v3': 'yVMpBEarcdDQNyArMCzd90/LUEmhksjucKzSKrM8C9g=',
    'x-hubspot-request-timestamp': '1614265330000',
  }
  const request = { headers, body: '{"id":1,"text":"héllo"}', url: 'https://example.com/hook' }
  expect(isAccepted(hubspotReceiver, request, 'secret', NOW)).toBe(true)
  expect(isAccepted(hubspotReceiver, { ...request, url: 'https://example.com/other' }, 'secret', NOW)).toBe(
    false,
  )
  const item = {
    eventId: 100,
    subscriptionId: 190787,
    portalId: 33,
    occurredAt: 1564113600000,
    subscriptionType: 'contact.propertyChange',
    objectId: 123,
    propertyName: 'lifecyclestage',
    propertyValue: 'customer',
    changeSource: 'CRM_UI',
  }
  const newer = { ...item, eventId: 101, subscriptionType: 'object.creation', objectTypeId: '0-3' }
  const events = hubspotReceiver.normalize(
    receivedEvent([item, newer, { ...item, portalId: 34 }], { account: { id: '33' } }),
  )
  expect(events.map(({ eventKey, thread }) => [eventKey, thread])).toEqual([
    ['hubspot.contact.propertyChange', 'contact:123'],
    ['hubspot.deal.creation', 'deal:123'],
  ])
  expect(events[0]!.text).toContain('property: lifecyclestage\nvalue: customer')
})

test('zendesk reads its secret, normalizes a comment, and answers notes with notes', () => {
  const { setup } = zendeskReceiver
  if (setup.by !== 'api') throw new Error('zendesk has an API')
  const { request, keep } = setup.register(registeredEndpoint({ events: ['zendesk.ticket.comment_added'] }))
  expect(request.json).toMatchObject({
    webhook: { endpoint: registeredEndpoint().url, subscriptions: ['zen:event-type:ticket.comment_added'] },
  })
  const kept = keep!({ webhook: { id: '01GK' } })
  const { request: read, secret } = setup.readSecret!(kept, {})
  expect(read.path).toBe('/api/v2/webhooks/01GK/signing_secret')
  expect(secret({ signing_secret: { algorithm: 'SHA256', secret: 'dGhpcw==' } })).toBe('dGhpcw==')
  const body = {
    type: 'zen:event-type:ticket.comment_added',
    id: '01HN',
    detail: { id: '35436', subject: 'Help', status: 'OPEN', actor_id: '8' },
    event: { comment: { id: '1', body: 'It works now', is_public: false, author: { id: '8', name: 'Ada' } } },
  }
  const [event] = zendeskReceiver.normalize(receivedEvent(body))
  expect(event).toMatchObject({ externalId: '01HN', thread: '35436', actor: { name: 'Ada' } })
  expect(event!.text).toContain('It works now')
  expect(zendeskReceiver.reply!(event!, 'Good')).toMatchObject({
    path: '/api/v2/tickets/35436.json',
    json: { ticket: { comment: { body: 'Good', public: false } } },
  })
})

test("intercom normalizes a conversation's last part as text, for its own workspace", () => {
  const part = (body: string, id: string) => ({ body, author: { type: 'user', id, name: 'Ada' } })
  const body = {
    type: 'notification_event',
    app_id: 'w1',
    id: 'notif_1',
    topic: 'conversation.user.replied',
    data: {
      item: {
        type: 'conversation',
        id: '99',
        source: { body: '<p>First</p>', author: { id: 'u0' } },
        conversation_parts: {
          conversation_parts: [part('<p>One</p>', 'u1'), part('<p>a &lt;b&gt;<br>c</p>', 'u1')],
        },
      },
    },
  }
  const own = { kept: { workspaceId: 'w1' } }
  const [event] = intercomReceiver.normalize(receivedEvent(body, own))
  expect(event).toMatchObject({
    thread: '99',
    text: 'a <b>\nc',
    actor: { id: 'u1', name: 'Ada', isBot: false },
  })
  expect(intercomReceiver.reply!(event!, 'Hi')).toMatchObject({
    path: '/conversations/99/reply',
    json: { admin_id: { $: 'account.id' }, body: 'Hi' },
  })
  expect(intercomReceiver.normalize(receivedEvent({ ...body, app_id: 'w2' }, own))).toEqual([])
  const contact = { ...body, topic: 'contact.lead.created', data: { item: { id: 'c1', name: 'Bob' } } }
  const [created] = intercomReceiver.normalize(receivedEvent(contact, own))
  expect([created!.thread, intercomReceiver.reply!(created!, 'Hi')]).toEqual(['contact:c1', []])
})

test('sentry and pagerduty normalize errors and incidents, and mark only other integrations as bots', () => {
  const headers = { 'sentry-hook-resource': 'issue', 'request-id': 'r1' }
  const issue = {
    id: '5',
    title: 'TypeError',
    level: 'error',
    project: { slug: 'web' },
    permalink: 'https://s.example',
  }
  const actorOf = (id: string) => ({ type: 'application', id, name: id })
  const hook = (id: string) =>
    sentryReceiver.normalize(
      receivedEvent({ action: 'created', actor: actorOf(id), data: { issue } }, { headers }),
    )[0]
  expect([hook('sentry')!.actor.isBot, hook('own-integration')!.actor.isBot]).toEqual([false, true])
  const created = hook('sentry')
  expect(created).toMatchObject({ eventKey: 'sentry.issue.created', externalId: 'r1', thread: '5' })
  expect(created!.text).toBe('A new error occurred\nissueId: 5\ntitle: TypeError\nlevel: error\nproject: web')
  const event = {
    id: 'E1',
    event_type: 'incident.triggered',
    agent: { id: 'P1', type: 'service_reference', summary: 'Monitor' },
    data: { id: 'I1', type: 'incident', title: 'Disk', status: 'triggered', html_url: 'https://p.example' },
  }
  const [incident] = pagerdutyReceiver.normalize(receivedEvent({ event }))
  expect(incident).toMatchObject({ externalId: 'E1', thread: 'I1', actor: { id: 'P1', isBot: false } })
  const note = {
    ...event,
    event_type: 'incident.annotated',
    data: { id: 'N1', content: 'Hm', incident: { id: 'I1' } },
  }
  expect(pagerdutyReceiver.normalize(receivedEvent({ event: note }))[0]).toMatchObject({ thread: 'I1' })
})

test('resend accepts svix signatures, reads a received mail and answers it in its thread', async () => {
  const { Webhook } = await import('svix')
  const secret = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`
  const data = {
    email_id: 'e1',
    from: 'Ada <ada@example.com>',
    to: ['help@acme.example'],
    subject: 'Re: Hello',
  }
  const body = JSON.stringify({ type: 'email.received', data })
  const headers = {
    'svix-id': 'msg_1',
    'svix-timestamp': String(NOW.getTime() / 1000),
    'svix-signature': new Webhook(secret).sign('msg_1', NOW, body),
  }
  expect(isAccepted(resendReceiver, { headers, body }, secret, NOW)).toBe(true)
  const [event] = resendReceiver.normalize(receivedEvent(JSON.parse(body), { headers }))
  expect(event).toMatchObject({ externalId: 'msg_1', thread: 'ada@example.com:Hello', text: null })
  const mail = {
    subject: 'Re: Hello',
    text: 'Is it done?',
    message_id: '<m2>',
    headers: { References: '<m1>' },
  }
  const { events } = resendReceiver.fetch!.complete(event!, mail, receivedEvent(null))
  expect(events[0]!.text).toBe('Re: Hello\n\nIs it done?')
  expect(resendReceiver.reply!(events[0]!, 'Yes')).toMatchObject({
    json: {
      from: 'help@acme.example',
      to: ['Ada <ada@example.com>'],
      subject: 'Re: Hello',
      headers: { 'In-Reply-To': '<m2>', References: '<m1> <m2>', 'Auto-Submitted': 'auto-replied' },
    },
  })
  const automatic = { ...mail, headers: { 'Auto-Submitted': 'auto-replied' } }
  expect(resendReceiver.fetch!.complete(event!, automatic, receivedEvent(null)).events).toEqual([])
})

test('sendgrid normalizes every event in a batch', () => {
  const item = (event: string, id: string) => ({
    event,
    sg_event_id: id,
    email: 'A@example.com',
    sg_message_id: 'm1',
  })
  const events = sendgridReceiver.normalize(
    receivedEvent([item('bounce', '1'), item('processed', '2'), item('open', '3')]),
  )
  expect(events.map(({ eventKey, externalId, thread }) => [eventKey, externalId, thread])).toEqual([
    ['sendgrid.bounce', '1', 'a@example.com'],
    ['sendgrid.open', '3', 'a@example.com'],
  ])
})

const receivers = builtIn.flatMap(({ slug, receiver }): [string, ReceiverDefinition][] =>
  receiver ? [[slug, receiver]] : [],
)

test.each(receivers)('%s ignores malformed bodies, and its events have its slug', (slug, receiver) => {
  const bodies = [
    null,
    '',
    'text',
    7,
    [],
    [null],
    {},
    { type: 'toString', event: 'constructor', topic: '__proto__' },
  ]
  for (const body of bodies) {
    expect(Array.isArray(receiver.normalize(receivedEvent(body)))).toBe(true)
  }
  for (const eventKey of Object.keys(receiver.events)) expect(eventKey.startsWith(`${slug}.`)).toBe(true)
})

test('a receiver with an empty secret accepts no request', () => {
  const body = '{}'
  const headers = { 'x-dropbox-signature': hmac('sha256', Buffer.alloc(0), [body]).toString('hex') }
  const dropbox = receivers.find(([slug]) => slug === 'dropbox')![1]
  expect(isAccepted(dropbox, { headers, body }, '', NOW)).toBe(false)
})

/** The registrations that the provider lists, with that of the endpoint last. */
const LISTED: Record<string, (url: string) => unknown> = {
  airtable: (url) => ({
    webhooks: [
      { id: 'x', notificationUrl: null },
      { id: 'w1', notificationUrl: url },
    ],
  }),
  figma: (url) => ({
    webhooks: [
      { id: 'x', endpoint: `${url}2` },
      { id: 'w1', endpoint: url },
    ],
  }),
  pagerduty: (url) => ({ webhook_subscriptions: [{ id: 'w1', delivery_method: { url } }] }),
  resend: (url) => ({
    data: [
      { id: 'x', endpoint: 'https://other.example' },
      { id: 'w1', endpoint: url },
    ],
  }),
  zendesk: (url) => ({ webhooks: [{ id: 'w1', endpoint: url }] }),
}

test.each(Object.entries(LISTED))("%s finds the URL's registration and removes that one", (slug, listed) => {
  const { setup } = receivers.find(([name]) => name === slug)![1]
  if (setup.by !== 'api') throw new Error(`${slug} has an API`)
  const endpoint = registeredEndpoint({ config: { baseId: 'app00000000000000', teamId: '12' } })
  const { keep } = setup.find!(endpoint)
  expect(keep(listed('https://elsewhere.example'))).toBeNull()
  expect(keep({})).toBeNull()
  const { method, path } = setup.unregister(keep(listed(endpoint.url))!, endpoint.config)
  expect([method, path.endsWith('/w1')]).toEqual(['DELETE', true])
})
