import type { Event, Message } from '@microsoft/microsoft-graph-types'
import { describe, expect, test } from 'vitest'
import { gmail } from '../../../server/features/connections/connectors/catalog/mail/gmail.ts'
import { htmlToText } from '../../../server/features/connections/connectors/catalog/mail/html-text.ts'
import { outlook } from '../../../server/features/connections/connectors/catalog/mail/outlook.ts'
import { encodeMail, type Mail } from '../../../server/features/connections/connectors/catalog/mail/rfc822.ts'
import {
  expectSameRequests,
  type ToolCase,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { createTarget } from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const gmailUsers = async (url: string) => {
  const { gmail: create } = await import('@googleapis/gmail')
  return create({ version: 'v1', rootUrl: `${url}/` }).users
}
const MAIL = { to: ['ada@example.com'], subject: 'Hi', text: 'Hello' }
const raw = encodeMail(MAIL)

const GMAIL: ToolCase[] = [
  [
    'search_mail',
    { query: 'from:ada', limit: 5 },
    async (url) => (await gmailUsers(url)).threads.list({ userId: 'me', q: 'from:ada', maxResults: 5 }),
  ],
  [
    'read_thread',
    { threadId: 't1' },
    async (url) => (await gmailUsers(url)).threads.get({ userId: 'me', id: 't1', format: 'full' }),
  ],
  [
    'create_draft',
    { ...MAIL, threadId: 't1' },
    async (url) =>
      (await gmailUsers(url)).drafts.create({
        userId: 'me',
        requestBody: { message: { raw, threadId: 't1' } },
      }),
  ],
  [
    'send_draft',
    { draftId: 'd1' },
    async (url) => (await gmailUsers(url)).drafts.send({ userId: 'me', requestBody: { id: 'd1' } }),
  ],
  [
    'send_mail',
    MAIL,
    async (url) => (await gmailUsers(url)).messages.send({ userId: 'me', requestBody: { raw } }),
  ],
]

const recipients = [{ emailAddress: { address: 'ada@example.com' } }]
const graphMessage = {
  subject: 'Hi',
  body: { contentType: 'text', content: 'Hello' },
  toRecipients: recipients,
} satisfies Message
const listedFields = [
  'id',
  'conversationId',
  'subject',
  'from',
  'receivedDateTime',
  'isRead',
  'hasAttachments',
  'bodyPreview',
] satisfies (keyof Message)[]
const readFields = [
  'id',
  'conversationId',
  'subject',
  'from',
  'toRecipients',
  'ccRecipients',
  'receivedDateTime',
  'hasAttachments',
  'body',
] satisfies (keyof Message)[]
const eventFields = [
  'id',
  'subject',
  'start',
  'end',
  'location',
  'organizer',
  'attendees',
  'isAllDay',
  'isCancelled',
  'onlineMeeting',
] satisfies (keyof Event)[]
const times = { start: '2026-11-16T00:00:00Z', end: '2026-11-17T00:00:00Z' }

/** From the reference of Microsoft Graph; Microsoft's types check the field names. */
const OUTLOOK: ToolCase[] = [
  [
    'search_mail',
    { query: 'from:ada "a \\ b"' },
    {
      method: 'GET',
      path: '/v1.0/me/messages',
      query: { $search: '"from:ada \\"a \\\\ b\\""', $select: listedFields.join(','), $top: '20' },
      body: null,
    },
  ],
  [
    'read_mail',
    { messageId: 'AA/B=' },
    {
      method: 'GET',
      path: '/v1.0/me/messages/AA%2FB%3D',
      query: { $select: readFields.join(',') },
      body: null,
    },
  ],
  ['create_draft', MAIL, { method: 'POST', path: '/v1.0/me/messages', query: {}, body: graphMessage }],
  [
    'send_mail',
    { ...MAIL, cc: ['ada@example.com'] },
    {
      method: 'POST',
      path: '/v1.0/me/sendMail',
      query: {},
      body: { message: { ...graphMessage, ccRecipients: recipients }, saveToSentItems: true },
    },
  ],
  [
    'reply',
    { messageId: 'm1', text: 'Yes' },
    { method: 'POST', path: '/v1.0/me/messages/m1/reply', query: {}, body: { comment: 'Yes' } },
  ],
  [
    'list_events',
    times,
    {
      method: 'GET',
      path: '/v1.0/me/calendarView',
      query: {
        startDateTime: times.start,
        endDateTime: times.end,
        $orderby: 'start/dateTime',
        $select: eventFields.join(','),
        $top: '50',
      },
      body: null,
    },
  ],
]

test.each([
  ['gmail', createTarget(gmail), GMAIL],
  ['outlook', createTarget(outlook, { config: { tenant: 'common' } }), OUTLOOK],
])("%s: every tool makes the vendor's documented request", (_, target, cases) =>
  expectSameRequests(target, cases),
)

describe('encodeMail', () => {
  const decodeMail = (mail: Partial<Mail>) => {
    const message = Buffer.from(encodeMail({ ...MAIL, ...mail }), 'base64url').toString('latin1')
    const [head = '', body = ''] = message.split('\r\n\r\n')
    const unfolded = head.replaceAll('\r\n ', ' ').split('\r\n')
    const headers = Object.fromEntries(unfolded.map((line) => line.split(/: (.*)/s).slice(0, 2)))
    return { message, headers, lines: head.split('\r\n'), text: Buffer.from(body, 'base64').toString('utf8') }
  }
  const decodeWords = (value: string) =>
    value
      .split(' ')
      .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64').toString('utf8'))
      .join('')

  test('writes ASCII headers with encoded words, and a UTF-8 body', () => {
    const subject = `Grüße 👋 ${'ä'.repeat(60)}`
    const to = ['Ada Lovelace <ada@example.com>', '"Müller, Änne" <a@example.com>', 'Doe, J. <j@example.com>']
    const { message, headers, lines, text } = decodeMail({ subject, to, text: 'Zeile 1\nZeile 2 ✓' })
    expect(message).toMatch(/^[\x20-\x7e\r\n]*$/)
    expect(decodeWords(headers.Subject!)).toBe(subject)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(90)
    expect(headers.To).toMatch(
      /^Ada Lovelace <ada@example\.com>, =\?UTF-8\?B\?\S+\?= <a@example\.com>, "Doe, J\." <j@example\.com>$/,
    )
    expect(text).toBe('Zeile 1\r\nZeile 2 ✓')
  })

  test('writes automatic reply headers in a thread', () => {
    const { headers } = decodeMail({ inReplyTo: '<b@x>', references: '<a@x>', isAutomatic: true })
    expect(headers).toMatchObject({
      'In-Reply-To': '<b@x>',
      References: '<a@x> <b@x>',
      'Auto-Submitted': 'auto-replied',
    })
  })

  test('adds no header or recipient from hostile fields', () => {
    const names = Object.keys(decodeMail({ inReplyTo: '<a@x>' }).headers)
    const hostile = [
      'x\r\nBcc: eve@example.com',
      'x\nBcc: eve@example.com',
      'x\r\n\r\nbody',
      'x\u2028Bcc: e',
      'x\0',
    ]
    for (const text of hostile) {
      const { headers } = decodeMail({
        subject: text,
        to: [`${text} <ada@example.com>`],
        inReplyTo: `<a@x>${text}`,
        references: text,
      })
      expect(Object.keys(headers), text).toEqual(names)
      expect(headers.To).toMatch(/ <ada@example\.com>$/)
    }
    for (const to of [
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      'a b@c',
      '@',
      '<>',
    ]) {
      expect(() => decodeMail({ to: [to] }), to).toThrow('is not an email address')
      const send = gmail.tools.find(({ name }) => name === 'send_mail')!
      expect(send.input.safeParse({ ...MAIL, to: [to] }).success, to).toBe(false)
    }
    expect(decodeWords(decodeMail({ subject: '=?UTF-8?B?QQ==?=' }).headers.Subject!)).toBe('=?UTF-8?B?QQ==?=')
  })
})

test('htmlToText drops scripts, styles and comments', () => {
  const html =
    '<head><title>t</title></head><style>a{}</style><p>Hi&nbsp;&lt;Ada&gt; &#x1F44B; &bogus;</p><!-- x --><ul><li>One<li>Two</ul><script>alert(1)'
  expect(htmlToText(html)).toBe('Hi <Ada> 👋 &bogus;\n\n- One\n- Two')
  expect(htmlToText('<'.repeat(200_000))).toHaveLength(200_000)
  expect(htmlToText('&nbsp;'.repeat(30_000))).toBe('')
  expect(htmlToText('&#xD800;&#0;&#99999999;')).toBe('&#xD800;&#0;&#99999999;')
})
