import { expect, test } from 'vitest'
import { airtableReceiver } from '../../../server/features/connections/connectors/catalog/knowledge/airtable.ts'
import { dropboxReceiver } from '../../../server/features/connections/connectors/catalog/knowledge/dropbox.ts'
import { figmaReceiver } from '../../../server/features/connections/connectors/catalog/knowledge/figma.ts'
import { calendarReceiver } from '../../../server/features/connections/connectors/catalog/knowledge/google-calendar.ts'
import { driveReceiver } from '../../../server/features/connections/connectors/catalog/knowledge/google-drive.ts'
import { notionReceiver } from '../../../server/features/connections/connectors/catalog/knowledge/notion.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
  replies,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import type { NormalizedEvent } from '../../../server/features/connections/connectors/definition/receiver.ts'
import { hmac } from '../../../server/security/hmac.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const notification = (number: string, state = 'change') => ({
  headers: { 'x-goog-channel-id': 'c1', 'x-goog-message-number': number, 'x-goog-resource-state': state },
})

test("notion accepts its SDK's signatures with the verification token", async () => {
  const { signWebhookPayload } = await import('@notionhq/client')
  const body = '{"id":"e1","type":"page.created"}'
  const signature = await signWebhookPayload({ body, verificationToken: 'secret_token' })
  const request = { headers: { 'x-notion-signature': signature }, body }
  expect(isAccepted(notionReceiver, request, 'secret_token', NOW)).toBe(true)
  expect(isAccepted(notionReceiver, { ...request, body: '{}' }, 'secret_token', NOW)).toBe(false)
})

const COMMENT = {
  id: 'e1',
  timestamp: '2026-11-16T12:00:00.000Z',
  workspace_id: 'w1',
  type: 'comment.created',
  authors: [{ id: 'u1', type: 'person' }],
  entity: { id: 'c-1', type: 'comment' },
  data: { page_id: 'p-1', parent: { id: 'p-1', type: 'page' } },
}

test('notion reads a comment, answers in its discussion, and ignores other workspaces', () => {
  const own = { kept: { workspaceId: 'w1' }, account: { id: 'bot' } }
  const [event] = notionReceiver.normalize(receivedEvent(COMMENT, own))
  expect(event).toMatchObject({ eventKey: 'notion.comment.created', thread: 'p-1', text: null })
  expect(notionReceiver.fetch!.request(event!, {})).toEqual({ method: 'GET', path: '/v1/comments/c-1' })
  const answer = { discussion_id: 'd1', rich_text: [{ plain_text: 'Please ' }, { plain_text: 'check' }] }
  const { events } = notionReceiver.fetch!.complete(event!, answer, own)
  expect(events[0]!.text).toBe('Please check')
  expect(notionReceiver.fetch!.request(events[0]!, {})).toBeNull()
  const sent = replies(notionReceiver.reply!(events[0]!, 'x'.repeat(2001)))
  expect(sent.map(({ json }) => json)).toEqual([
    { discussion_id: 'd1', rich_text: [{ type: 'text', text: { content: 'x'.repeat(2000) } }] },
    { discussion_id: 'd1', rich_text: [{ type: 'text', text: { content: 'x' } }] },
  ])
  for (const change of [{ workspace_id: 'w2' }, { workspace_id: undefined }, { type: 'x' }]) {
    expect(notionReceiver.normalize(receivedEvent({ ...COMMENT, ...change }, own))).toEqual([])
  }
})

test('drive reads the files changed since a notification, each change once', () => {
  expect(driveReceiver.normalize(receivedEvent('', notification('1', 'sync')))).toEqual([])
  const [ping] = driveReceiver.normalize(receivedEvent('', notification('2')))
  const request = driveReceiver.fetch!.request(ping!, {})
  const since = /modifiedTime > '([^']+)'/.exec(request!.query!.q as string)![1]!
  expect(Date.now() - Date.parse(since)).toBeGreaterThanOrEqual(600_000)
  const file = (id: string, permissionId: string) => ({
    id,
    name: 'Plan',
    mimeType: 'text/plain',
    createdTime: '2026-11-16T11:00:00Z',
    modifiedTime: '2026-11-16T12:00:00Z',
    webViewLink: 'https://drive.google.com/x',
    lastModifyingUser: { permissionId, displayName: 'Ada', emailAddress: 'ada@example.com' },
  })
  const answer = { files: [file('f1', 'u1')] }
  const { events } = driveReceiver.fetch!.complete(ping!, answer, receivedEvent(''))
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    externalId: 'f1:2026-11-16T12:00:00Z',
    thread: 'f1',
    actor: { name: 'Ada' },
    text: expect.stringContaining('A file was changed\nname: Plan\nfileId: f1'),
  })
  expect(driveReceiver.fetch!.request(events[0]!, {})).toBeNull()
})

test('calendar reads changed and canceled events from the watched calendar', () => {
  const [ping] = calendarReceiver.normalize(receivedEvent('', notification('2', 'exists')))
  const request = calendarReceiver.fetch!.request(ping!, { calendarId: 'team@example.com' })
  expect(request!.path).toBe('/calendar/v3/calendars/team%40example.com/events')
  expect(request!.query).toMatchObject({ updatedMin: ping!.replyTo.since, showDeleted: true })
  const items = [
    {
      id: 'e1',
      status: 'confirmed',
      summary: 'Sync',
      updated: '2026-11-16T12:00:00Z',
      start: { dateTime: '2026-11-17T09:00:00+01:00' },
      end: { dateTime: '2026-11-17T10:00:00+01:00' },
      attendees: [{ email: 'a@example.com', responseStatus: 'declined' }],
    },
    { id: 'e2', status: 'cancelled', updated: '2026-11-16T12:00:01Z' },
  ]
  const { events } = calendarReceiver.fetch!.complete(ping!, { items }, receivedEvent(''))
  expect(events.map(({ eventKey, externalId }) => [eventKey, externalId])).toEqual([
    ['google-calendar.event', 'e1:2026-11-16T12:00:00Z'],
    ['google-calendar.cancelled', 'e2:2026-11-16T12:00:01Z'],
  ])
  expect(events[0]!.text).toContain('attendees: a@example.com (declined)')
  // A record that the account created is an echo; changes by others to it are not.
  const actors = ['2026-11-16T11:59:59Z', '2026-11-16T11:00:00Z'].map((created) => {
    const item = { ...items[0], created, creator: { email: 'me@example.com' } }
    return calendarReceiver.fetch!.complete(ping!, { items: [item] }, receivedEvent('')).events[0]!.actor.id
  })
  expect(actors).toEqual(['me@example.com', null])
})

/** Fetches as the engine does, until no record needs another request. */
function complete(
  receiver: typeof dropboxReceiver,
  first: NormalizedEvent,
  answers: unknown[],
  kept: Record<string, string>,
) {
  const [requests, records]: [unknown[], NormalizedEvent[]] = [[], []]
  const queue = [first]
  for (let event = queue.shift(); event; event = queue.shift()) {
    const request = receiver.fetch!.request(event, kept)
    if (request === null) {
      records.push(event)
      continue
    }
    requests.push(request.json ?? request.query)
    const completed = receiver.fetch!.complete(event, answers.shift(), { account: { id: 'account' }, kept })
    Object.assign(kept, completed.keep)
    queue.push(...completed.events)
  }
  return { requests, records }
}

test("dropbox reads all pages from the connection's cursor, then from its own", () => {
  const ping = (account: string) =>
    dropboxReceiver.normalize(receivedEvent({ list_folder: { accounts: [account] } }))
  expect(ping('dbid:other')).toEqual([])
  expect(ping('account')[0]!.externalId).not.toBe(ping('account')[0]!.externalId)
  const file = (rev: string, server_modified: string) => ({
    '.tag': 'file',
    id: `id:${rev}`,
    rev,
    path_display: `/${rev}.txt`,
    server_modified,
  })
  const recent = new Date().toISOString()
  const kept: Record<string, string> = { startCursor: 's0' }
  const { requests, records } = complete(
    dropboxReceiver,
    ping('account')[0]!,
    [
      { entries: [file('old', '2020-01-01T00:00:00Z'), file('r1', recent)], cursor: 's1', has_more: true },
      {
        entries: [
          { '.tag': 'deleted', path_display: '/x.txt' },
          { '.tag': 'folder', path_display: '/f' },
        ],
        cursor: 's2',
        has_more: false,
      },
    ],
    kept,
  )
  expect([requests, kept.cursor]).toEqual([[{ cursor: 's0' }, { cursor: 's1' }], 's2'])
  expect(records.map(({ eventKey, externalId }) => [eventKey, externalId])).toEqual([
    ['dropbox.file', 'r1'],
    ['dropbox.deleted', 's1:/x.txt'],
  ])
})

test('airtable accepts its MAC, and reads the payloads from the cursor', () => {
  const { setup } = airtableReceiver
  if (setup.by !== 'api') throw new Error('airtable has an API')
  const { keep, secret, request } = setup.register(
    registeredEndpoint({ config: { baseId: 'app00000000000000' } }),
  )
  const mac = Buffer.from('mac secret').toString('base64')
  expect(secret!({ id: 'ach1', macSecretBase64: mac })).toBe(mac)
  expect(request.path).toBe('/v0/bases/app00000000000000/webhooks')
  const kept = keep!({ id: 'ach1', macSecretBase64: mac })
  const body = '{"base":{"id":"app1"},"webhook":{"id":"ach1"},"timestamp":"2026-11-16T12:00:00.000Z"}'
  const tag = hmac('sha256', Buffer.from('mac secret'), [body]).toString('hex')
  const headers = { 'x-airtable-content-mac': `hmac-sha256=${tag}` }
  expect(isAccepted(airtableReceiver, { headers, body }, mac, NOW)).toBe(true)
  const [ping] = airtableReceiver.normalize(receivedEvent(JSON.parse(body)))
  const payload = (number: number, user: string) => ({
    baseTransactionNumber: number,
    timestamp: '2026-11-16T12:00:00.000Z',
    actionMetadata: { source: 'client', sourceMetadata: { user: { id: user, name: 'Ada' } } },
    changedTablesById: {
      tbl1: {
        createdRecordsById: { rec1: { cellValuesByFieldId: { fld1: 'New' } } },
        changedRecordsById: { rec2: { current: { cellValuesByFieldId: { fld1: { id: 'sel' } } } } },
        destroyedRecordIds: ['rec3'],
      },
    },
  })
  const answer = { payloads: [payload(4, 'usr1')], cursor: 5, mightHaveMore: false }
  const { requests, records } = complete(airtableReceiver, ping!, [answer], kept)
  expect([requests, kept.cursor]).toEqual([[{ limit: 50, cursor: 1 }], '5'])
  expect(records.map(({ eventKey, externalId, text }) => [eventKey, externalId, text])).toEqual([
    [
      'airtable.record.created',
      '4:tbl1:rec1:created',
      'A record was added\ntable: tbl1\nrecord: rec1\nfld1: "New"',
    ],
    [
      'airtable.record.changed',
      '4:tbl1:rec2:changed',
      'A record changed\ntable: tbl1\nrecord: rec2\nfld1: {"id":"sel"}',
    ],
    ['airtable.record.deleted', '4:tbl1:rec3:deleted', 'A record was deleted\ntable: tbl1\nrecord: rec3'],
  ])
  expect(setup.update!(kept, registeredEndpoint()).path).toBe(
    '/v0/bases/app00000000000000/webhooks/ach1/refresh',
  )
})

test('figma normalizes a comment with its mentions and answers in its thread', () => {
  const body = {
    event_type: 'FILE_COMMENT',
    passcode: 'a-secret',
    file_key: 'F1',
    file_name: 'Home',
    comment_id: '20',
    parent_id: '10',
    comment: [{ text: 'See ' }, { mention: 'u2' }],
    mentions: [{ id: 'u2', handle: 'Bob' }],
    triggered_by: { id: 'u1', handle: 'Ada' },
  }
  const [event] = figmaReceiver.normalize(receivedEvent(body))
  expect(event).toMatchObject({
    externalId: '20',
    thread: 'F1:10',
    text: 'Home: See @Bob',
    actor: { name: 'Ada' },
  })
  expect(figmaReceiver.reply!(event!, 'Done')).toMatchObject({
    path: '/v1/files/F1/comments',
    json: { message: 'Done', comment_id: '10' },
  })
  const [first] = figmaReceiver.normalize(receivedEvent({ ...body, parent_id: '' }))
  expect(first!.thread).toBe('F1:20')
})
