import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { discordReceiver } from '../../../server/features/connections/connectors/catalog/chat/discord.ts'
import {
  microsoftTeams,
  teamsReceiver,
} from '../../../server/features/connections/connectors/catalog/chat/microsoft-teams.ts'
import { slack, slackReceiver } from '../../../server/features/connections/connectors/catalog/chat/slack.ts'
import { toComparable } from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
  replies,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import type {
  NormalizedEvent,
  Registration,
} from '../../../server/features/connections/connectors/definition/receiver.ts'

test('slack: a message, its mention, edit and deletion are one conversation', () => {
  const account = { id: 'UBOT' }
  const normalize = (event: object) =>
    slackReceiver.normalize(
      receivedEvent({ type: 'event_callback', event_id: 'Ev1', team_id: 'T1', event }, { account }),
    )
  const message = {
    type: 'message',
    channel: 'C1',
    channel_type: 'channel',
    user: 'U1',
    ts: '1700000000.000100',
    text: '<@UBOT> deploy {now}',
  }
  const [first] = normalize(message)
  expect(first).toEqual({
    eventKey: 'slack.mention',
    externalId: 'message:C1:1700000000.000100',
    change: 'created',
    targetId: null,
    actor: { id: 'U1', name: null, isBot: false },
    text: 'deploy {now}',
    thread: 'C1:1700000000.000100',
    resource: { type: 'message', id: '1700000000.000100', url: null },
    replyTo: { channel: 'C1', thread_ts: '1700000000.000100' },
  })
  expect(normalize({ ...message, type: 'app_mention' })).toEqual([first])
  const [answer] = normalize({ ...message, text: 'yes', ts: '1700000009.000100', thread_ts: message.ts })
  expect(answer).toMatchObject({ eventKey: 'slack.message', thread: first!.thread, replyTo: first!.replyTo })
  const change = { type: 'message', channel: 'C1', channel_type: 'channel', event_ts: '1700000010.000200' }
  const edit = { ...change, subtype: 'message_changed', previous_message: message }
  expect(normalize({ ...edit, message: { ...message, text: 'stop' } })).toMatchObject([
    { change: 'edited', targetId: first!.externalId, text: 'stop', thread: first!.thread },
  ])
  expect(normalize({ ...edit, message: { ...message, attachments: [{}] } })).toEqual([])
  expect(normalize({ ...change, subtype: 'message_deleted', previous_message: message })).toMatchObject([
    { change: 'deleted', targetId: first!.externalId, text: null },
  ])
  expect(normalize({ ...message, channel: 'D1', channel_type: 'im', text: 'hi' })).toMatchObject([
    { thread: 'D1', replyTo: { channel: 'D1' } },
  ])
  for (const ignored of [
    { ...message, bot_id: 'B1' },
    { ...message, user: 'UBOT' },
    { ...message, subtype: 'channel_join' },
    { ...message, channel: undefined },
    { type: 'reaction_added' },
  ]) {
    expect(normalize(ignored), JSON.stringify(ignored)).toEqual([])
  }
  expect(slackReceiver.setup).toMatchObject({
    by: 'hand',
    paste: { text: expect.stringContaining('request_url: {url}\n') },
  })
})

test("slack: replies stay in the thread and are split; the typing status matches its SDK's request", async () => {
  const event = { replyTo: { channel: 'C1', thread_ts: '1.000001' } } as unknown as NormalizedEvent
  const long = `${'a'.repeat(11_990)} ${'b'.repeat(100)}`
  const parts = replies(slackReceiver.reply!(event, long))
  expect(parts.map(({ form }) => form)).toMatchObject([
    { channel: 'C1', thread_ts: '1.000001', markdown_text: 'a'.repeat(11_990) },
    { channel: 'C1', thread_ts: '1.000001', markdown_text: 'b'.repeat(100) },
  ])
  const [sdkRequest] = await recordRequests(async (url) => {
    const { WebClient } = await import('@slack/web-api')
    const client = new WebClient('token', { slackApiUrl: `${url}/api/`, retryConfig: { retries: 0 } })
    const status = { channel_id: 'C1', thread_ts: '1.000001', status: 'is thinking…' }
    await client.assistant.threads.setStatus(status)
  })
  expect(toComparable(await sentRequest(createTarget(slack), slackReceiver.typing!(event)!))).toEqual(
    toComparable(sdkRequest!),
  )
})

test('discord: accepts what discord-interactions accepts, and reads commands, buttons and forms', async () => {
  const { verifyKey } = await import('discord-interactions')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  const now = new Date('2026-11-16T12:00:00Z')
  const timestamp = String(now.getTime() / 1000)
  const body = '{"type":1}'
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex')
  const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp }
  expect(await verifyKey(body, signature, timestamp, key)).toBe(true)
  expect(isAccepted(discordReceiver, { headers, body }, key, now)).toBe(true)
  expect(isAccepted(discordReceiver, { headers, body: '{"type":2}' }, key, now)).toBe(false)

  const interaction = {
    id: '9',
    application_id: '8',
    token: 'interaction token',
    channel_id: '7',
    member: { user: { id: '1', username: 'ada', global_name: 'Ada' } },
  }
  const normalize = (fields: object) =>
    discordReceiver.normalize(receivedEvent({ ...interaction, ...fields }))
  const option = (name: string, value: unknown) => ({ name, type: 3, value })
  const command = { type: 2, data: { name: 'ask', options: [option('question', 'Why?')] } }
  const [commandEvent] = normalize(command)
  expect(commandEvent).toMatchObject({
    eventKey: 'discord.command',
    externalId: '9',
    text: 'Why?',
    thread: '7',
    actor: { id: '1', name: 'Ada' },
  })
  const nested = {
    name: 'issue',
    options: [{ name: 'new', options: [option('title', 'A'), option('urgent', true)] }],
  }
  expect(normalize({ type: 2, data: nested })[0]?.text).toBe('/issue\ntitle: A\nurgent: true')
  const form = { custom_id: 'f', components: [{ components: [{ custom_id: 'name', value: 'Ada' }] }] }
  expect(normalize({ type: 5, data: form })[0]).toMatchObject({ eventKey: 'discord.form', text: 'Ada' })
  expect(normalize({ type: 3, data: { custom_id: 'yes' } })[0]?.text).toBe('yes')
  expect(normalize({ type: 1 })).toEqual([])
  const parts = replies(discordReceiver.reply!(commandEvent!, `${'a'.repeat(1999)}\n${'b'.repeat(5)}`))
  expect(parts.map(({ method, path }) => [method, path])).toEqual([
    ['PATCH', '/webhooks/8/interaction%20token/messages/@original'],
    ['POST', '/webhooks/8/interaction%20token'],
  ])
})

test("microsoft-teams: fetches a notification's message and answers in its thread", async () => {
  const resource = "teams('t1')/channels('19:a@thread.tacv2')/messages('10')/replies('11')"
  const notification = { subscriptionId: 's', clientState: 'secret', changeType: 'created', resource }
  const [event, ...others] = teamsReceiver.normalize(
    receivedEvent({
      value: [
        notification,
        { lifecycleEvent: 'reauthorizationRequired', resource, clientState: 'secret' },
        { ...notification, resource: "users('1')/messages('2')" },
      ],
    }),
  )
  expect(others).toEqual([])
  expect(event).toMatchObject({
    externalId: 'message:19:a@thread.tacv2:10:11',
    thread: '19:a@thread.tacv2:10',
  })
  const messages = '/teams/t1/channels/19%3Aa%40thread.tacv2/messages/10'
  expect(teamsReceiver.fetch!.request(event!, {})).toEqual({ method: 'GET', path: `${messages}/replies/11` })
  const answer = {
    messageType: 'message',
    webUrl: 'https://teams.example/1',
    from: { user: { id: 'u1', displayName: 'Ada' } },
    body: { contentType: 'html', content: '<p>Hi &amp; <b>bye</b></p><script>x</script>' },
  }
  const complete = (fields: object) =>
    teamsReceiver.fetch!.complete(event!, { ...answer, ...fields }, receivedEvent({}))
  const [completed] = complete({}).events
  expect(completed).toMatchObject({ text: 'Hi & bye', actor: { id: 'u1', name: 'Ada' } })
  expect(teamsReceiver.fetch!.request(completed!, {})).toBeNull()
  expect(complete({ from: { user: { id: 'account' } } }).events).toEqual([])
  expect(complete({ from: { application: { id: 'bot' } } }).events).toEqual([])
  const [removed] = teamsReceiver.normalize(
    receivedEvent({ value: [{ ...notification, changeType: 'deleted' }] }),
  )
  expect(removed).toMatchObject({ change: 'deleted', targetId: event!.externalId })
  expect(teamsReceiver.fetch!.request(removed!, {})).toBeNull()
  expect(teamsReceiver.reply!(completed!, 'Yes')).toEqual({
    method: 'POST',
    path: `${messages}/replies`,
    json: { body: { contentType: 'text', content: 'Yes' } },
  })
  const setup = teamsReceiver.setup as Registration
  const endpoint = registeredEndpoint({ config: { teamId: 't1', channelId: '19:a@thread.tacv2' } })
  const { request, keep } = setup.register(endpoint)
  expect(await sentRequest(createTarget(microsoftTeams), request)).toMatchObject({
    path: '/v1.0/subscriptions',
    body: {
      changeType: 'created,updated,deleted',
      resource: '/teams/t1/channels/19%3Aa%40thread.tacv2/messages',
      notificationUrl: endpoint.url,
      lifecycleNotificationUrl: endpoint.url,
      clientState: 'a-secret',
      expirationDateTime: '2026-11-19T00:00:00.000Z',
    },
  })
  expect(keep!({ id: 'sub 1' })).toEqual({ subscriptionId: 'sub 1' })
  expect(setup.update!({ subscriptionId: 'sub 1' }, endpoint)).toMatchObject({
    method: 'PATCH',
    path: '/subscriptions/sub%201',
  })
})
