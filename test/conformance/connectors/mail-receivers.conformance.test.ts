import { expect, test } from 'vitest'
import { gmail, gmailReceiver } from '../../../server/features/connections/connectors/catalog/mail/gmail.ts'
import { outlookReceiver } from '../../../server/features/connections/connectors/catalog/mail/outlook.ts'
import {
  isAutomatic,
  parseMailbox,
} from '../../../server/features/connections/connectors/catalog/mail/rfc822.ts'
import { toComparable } from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
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

const base64 = (text: string) => Buffer.from(text).toString('base64url')
const account = { id: 'me@example.com' }

test('gmail: lists the changes since the cursor, reads each mail once and replies in its thread', async () => {
  const notification = (emailAddress: string) =>
    receivedEvent(
      {
        message: {
          messageId: '1',
          data: Buffer.from(JSON.stringify({ emailAddress, historyId: 90 })).toString('base64'),
        },
      },
      { account },
    )
  const [ping] = gmailReceiver.normalize(notification('Me@example.com'))
  expect(ping).toMatchObject({ externalId: 'notification:1', resource: { type: 'history', id: '90' } })
  expect(gmailReceiver.normalize(notification('other@example.com'))).toEqual([])
  expect(gmailReceiver.normalize(receivedEvent({ message: { messageId: '1', data: '!' } }))).toEqual([])

  const { request, complete } = gmailReceiver.fetch!
  const added = (id: string, ...labelIds: string[]) => ({ messagesAdded: [{ message: { id, labelIds } }] })
  const history = [added('m1', 'INBOX'), added('m1', 'INBOX'), added('m2', 'SENT', 'INBOX')]
  const listed = complete(ping!, { history, historyId: '95' }, { account, kept: {} })
  expect(listed).toMatchObject({ events: [{ externalId: 'mail:m1' }], keep: { historyId: '95' } })
  expect(complete(ping!, { historyId: '95' }, { account, kept: {} }).events).toEqual([])
  const [mail] = listed.events as [NormalizedEvent]
  // An expired cursor is replaced; a deleted mail is ignored.
  expect(gmailReceiver.fetch!.gone!(ping!)).toEqual({ events: [], keep: { historyId: '90' } })
  expect(gmailReceiver.fetch!.gone!(mail)).toEqual({ events: [] })

  const message = (overrides: Record<string, string> = {}) => ({
    id: 'm1',
    threadId: 't1',
    payload: {
      headers: Object.entries({
        From: '"Ada \\"L\\"" <ada@example.com>',
        Subject: 'Invoice',
        'Message-ID': '<b@x>',
        References: '<a@x>',
        ...overrides,
      }).map(([name, value]) => ({ name, value })),
      mimeType: 'multipart/mixed',
      parts: [
        {
          mimeType: 'multipart/alternative',
          parts: [
            { mimeType: 'text/plain', body: { data: base64('Pay ✓\r\nnow') } },
            { mimeType: 'text/html', body: { data: base64('<p>no</p>') } },
          ],
        },
        { mimeType: 'text/plain', filename: 'a.txt', body: { data: base64('attached') } },
      ],
    },
  })
  const [completedMail] = complete(mail, message(), { account, kept: {} }).events
  expect(completedMail).toMatchObject({
    externalId: 'mail:m1',
    actor: { id: 'ada@example.com', name: 'Ada "L"' },
    text: 'Invoice\n\nPay ✓\nnow',
    thread: 't1',
  })
  expect(request(completedMail!, {})).toBeNull()
  const automaticHeaders: Record<string, string>[] = [
    { From: 'me@example.com' },
    { 'Auto-Submitted': 'auto-replied' },
    { Precedence: 'bulk' },
    { 'List-Id': '<l.example.com>' },
    { From: 'MAILER-DAEMON@example.com' },
    { From: 'no-reply@example.com' },
  ]
  for (const headers of automaticHeaders) {
    expect(complete(mail, message(headers), { account, kept: {} }).events).toEqual([])
  }
  const withReplyTo = complete(mail, message({ 'Reply-To': 'desk@example.com' }), { account, kept: {} })
    .events[0]!
  const [reply] = replies(gmailReceiver.reply!(withReplyTo, 'Done'))
  const replyBody = reply!.json as { raw: string; threadId: string }
  const text = Buffer.from(replyBody.raw, 'base64url').toString()
  expect(replyBody.threadId).toBe('t1')
  for (const line of [
    'To: desk@example.com',
    'Subject: Re: Invoice',
    'In-Reply-To: <b@x>',
    'Auto-Submitted: auto-replied',
  ]) {
    expect(text.split('\r\n')).toContain(line)
  }

  const topic = 'projects/acme/topics/gmail'
  const endpoint = registeredEndpoint({
    config: { topic, serviceAccount: 'push@acme.iam.gserviceaccount.com' },
  })
  const setup = gmailReceiver.setup as Registration
  const ours = [
    request(ping!, { historyId: '80' })!,
    request(mail, {})!,
    setup.register(endpoint).request,
    setup.unregister({}, endpoint.config),
  ]
  const { gmail: create } = await import('@googleapis/gmail')
  const theirs = await recordRequests(async (url) => {
    const { users } = create({ version: 'v1', rootUrl: `${url}/` })
    await users.history.list({
      userId: 'me',
      startHistoryId: '80',
      historyTypes: ['messageAdded'],
      labelId: 'INBOX',
      maxResults: 500,
    })
    await users.messages.get({ userId: 'me', id: 'm1', format: 'full' })
    const requestBody = { topicName: topic, labelIds: ['INBOX'], labelFilterBehavior: 'include' }
    await users.watch({ userId: 'me', requestBody })
    await users.stop({ userId: 'me' })
  })
  for (const [index, template] of ours.entries()) {
    expect(toComparable(await sentRequest(createTarget(gmail), template))).toEqual(
      toComparable(theirs[index]!),
    )
  }
  expect(setup.register(endpoint).keep!({ historyId: '80' })).toEqual({ historyId: '80' })
})

test("outlook: reads a notification's mail, ignores automatic and own mail, and replies to it", () => {
  const notification = (overrides: object) => ({
    changeType: 'created',
    clientState: 's',
    resourceData: { id: 'm/1' },
    ...overrides,
  })
  const [event, ...others] = outlookReceiver.normalize(
    receivedEvent({
      value: [
        notification({}),
        notification({ lifecycleEvent: 'missed' }),
        notification({ changeType: 'updated' }),
      ],
    }),
  )
  expect(others).toEqual([])
  const { request, complete } = outlookReceiver.fetch!
  expect(request(event!, {})).toMatchObject({ method: 'GET', path: '/me/messages/m%2F1' })
  const from = { emailAddress: { address: 'ada@example.com', name: 'Ada' } }
  const mail = {
    conversationId: 'c1',
    subject: 'Invoice',
    from,
    toRecipients: [{ emailAddress: { address: 'me@example.com' } }],
    body: { contentType: 'html', content: '<div>Pay</div>' },
    internetMessageHeaders: [{ name: 'Received', value: 'x' }],
  }
  const completed = (overrides: object) =>
    complete(event!, { ...mail, ...overrides }, receivedEvent({})).events
  expect(completed({})).toMatchObject([
    { text: 'Invoice\n\nPay', thread: 'c1', actor: { id: 'ada@example.com', name: 'Ada' } },
  ])
  expect(completed({ toRecipients: [from] })).toEqual([])
  expect(completed({ isDraft: true })).toEqual([])
  expect(
    completed({ internetMessageHeaders: [{ name: 'Auto-Submitted', value: 'auto-generated' }] }),
  ).toEqual([])
  expect(outlookReceiver.reply!(event!, 'Done')).toEqual({
    method: 'POST',
    path: '/me/messages/m%2F1/reply',
    json: { comment: 'Done' },
  })
  const setup = outlookReceiver.setup as Registration
  expect(setup.register(registeredEndpoint()).request.json).toMatchObject({
    changeType: 'created',
    resource: "/me/mailFolders('inbox')/messages",
    clientState: 'a-secret',
  })
})

test('parseMailbox reads address and name from a header, and isAutomatic recognizes automatic mail', () => {
  expect(parseMailbox('ada@example.com')).toEqual({ email: 'ada@example.com', name: null })
  expect(parseMailbox('Ada L <ada@example.com>, b@example.com')).toEqual({
    email: 'ada@example.com',
    name: 'Ada L',
  })
  expect(parseMailbox('"L, Ada" <ada@example.com>')).toEqual({ email: 'ada@example.com', name: 'L, Ada' })
  for (const header of ['', 'undisclosed-recipients:;', '<>', 'Ada <ada@example.com\r\nBcc: x>']) {
    expect(parseMailbox(header), header).toBeNull()
  }
  const header = (headers: Record<string, string>) => (name: string) => headers[name] ?? null
  expect(isAutomatic(header({ from: 'ada@example.com', 'auto-submitted': 'no' }))).toBe(false)
  expect(isAutomatic(header({ from: 'noreply+1@example.com' }))).toBe(true)
})
