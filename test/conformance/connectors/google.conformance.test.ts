import { expect, test } from 'vitest'
import { googleCalendar } from '../../../server/features/connections/connectors/catalog/knowledge/google-calendar.ts'
import { googleDrive } from '../../../server/features/connections/connectors/catalog/knowledge/google-drive.ts'
import {
  expectSameRequests,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { registeredEndpoint } from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  captureRequest,
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const drive = async (url: string) => {
  const { drive_v3 } = await import('@googleapis/drive')
  return new drive_v3.Drive({ rootUrl: `${url}/`, retry: false })
}
const calendar = async (url: string) => {
  const { calendar_v3 } = await import('@googleapis/calendar')
  return new calendar_v3.Calendar({ rootUrl: `${url}/`, retry: false })
}
const FILE = '1AbCdEf'
const LIST = {
  fields: 'nextPageToken,files(id,name,mimeType,modifiedTime,size,webViewLink,owners(displayName))',
  supportsAllDrives: true,
  includeItemsFromAllDrives: true,
}
const DRIVE: ToolCase[] = [
  [
    'search',
    { text: "it's", folderId: 'root', limit: 5 },
    async (url) =>
      (await drive(url)).files.list({
        q: "trashed = false and fullText contains 'it\\'s' and 'root' in parents",
        pageSize: 5,
        ...LIST,
      }),
  ],
  [
    'search',
    { mimeType: 'text/csv' },
    async (url) =>
      (await drive(url)).files.list({
        q: "trashed = false and mimeType = 'text/csv'",
        orderBy: 'modifiedTime desc',
        pageSize: 20,
        ...LIST,
      }),
  ],
  [
    'read_file',
    { fileId: FILE, mimeType: 'application/vnd.google-apps.document' },
    async (url) => (await drive(url)).files.export({ fileId: FILE, mimeType: 'text/markdown' }),
  ],
  [
    'read_file',
    { fileId: FILE, mimeType: 'text/plain' },
    async (url) => (await drive(url)).files.get({ fileId: FILE, alt: 'media', supportsAllDrives: true }),
  ],
  [
    'share_file',
    { fileId: FILE, email: 'a@example.com', role: 'writer', message: 'See {fileId}' },
    async (url) =>
      (await drive(url)).permissions.create({
        fileId: FILE,
        sendNotificationEmail: true,
        emailMessage: 'See {fileId}',
        supportsAllDrives: true,
        fields: 'id,role,emailAddress',
        requestBody: { type: 'user', role: 'writer', emailAddress: 'a@example.com' },
      }),
  ],
  [
    'trash_file',
    { fileId: FILE },
    async (url) =>
      (await drive(url)).files.update({
        fileId: FILE,
        supportsAllDrives: true,
        fields: 'id,name,trashed',
        requestBody: { trashed: true },
      }),
  ],
]

/** The parts of a multipart body, without the boundary and with the media type alone. */
const partsOf = (body: unknown, contentType: string) =>
  String(body)
    .split(`--${/boundary=([^;]+)/.exec(contentType)![1]}`)
    .slice(1, -1)
    .map((part) => {
      const [head, ...content] = part.trim().split('\r\n\r\n')
      const type = /^content-type:\s*([^;\r\n]+)/im.exec(head!)![1]
      const text = content.join('\r\n\r\n')
      return type === 'application/json' ? [type, JSON.parse(text)] : [type, text]
    })

test("google-drive sends its SDK's requests and uploads a file with its metadata in one request", async () => {
  const target = createTarget(googleDrive)
  const upload = {
    name: 'A "b"\r\n.md',
    content: '# Hi {name}',
    mimeType: 'text/markdown',
    convert: 'document',
    folderId: FILE,
  }
  const ours = await captureRequest(target, 'upload_file', upload)
  const [theirs] = await recordRequests(async (url) =>
    (await drive(url)).files.create(
      {
        fields: 'id,name,mimeType,webViewLink',
        supportsAllDrives: true,
        requestBody: { name: upload.name, mimeType: 'application/vnd.google-apps.document', parents: [FILE] },
        media: { mimeType: upload.mimeType, body: upload.content },
      },
      { rootUrl: `${url}/` },
    ),
  )
  expect([ours.method, ours.path, ours.query]).toEqual([theirs!.method, theirs!.path, theirs!.query])
  expect(partsOf(ours.body, ours.headers['content-type']!)).toEqual(
    partsOf(theirs!.body, theirs!.headers['content-type']!),
  )
  const [about] = await recordRequests(async (url) => (await drive(url)).about.get({ fields: 'user' }))
  expect(toComparable(await sentRequest(target, googleDrive.check.request))).toEqual(toComparable(about!))
  await expectSameRequests(target, [
    ...DRIVE,
    ['upload_file', upload, { ...toComparable(ours), body: expect.anything() }],
  ])
  const pdf = { fileId: FILE, mimeType: 'application/pdf' }
  expect(googleDrive.tools.find(({ name }) => name === 'read_file')!.input.safeParse(pdf).success).toBe(false)
})

const EVENT_FIELDS =
  'id,summary,description,location,status,start,end,htmlLink,hangoutLink,recurringEventId,organizer(email),attendees(email,displayName,responseStatus)'
const FROM = '2026-11-16T09:00:00+01:00'
const TO = '2026-11-17T09:00:00Z'
const CALENDAR: ToolCase[] = [
  [
    'list_events',
    { calendarId: 'team@example.com', from: FROM, to: TO, text: 'sync', limit: 10 },
    async (url) =>
      (await calendar(url)).events.list({
        calendarId: 'team@example.com',
        timeMin: FROM,
        timeMax: TO,
        q: 'sync',
        singleEvents: true,
        orderBy: 'startTime',
        maxResults: 10,
        fields: `nextPageToken,items(${EVENT_FIELDS})`,
      }),
  ],
  [
    'list_calendars',
    {},
    async (url) =>
      (await calendar(url)).calendarList.list({
        maxResults: 50,
        fields: 'nextPageToken,items(id,summary,timeZone,accessRole,primary)',
      }),
  ],
  [
    'free_busy',
    { from: FROM, to: TO, calendars: ['a@example.com'] },
    async (url) =>
      (await calendar(url)).freebusy.query({
        requestBody: { timeMin: FROM, timeMax: TO, items: [{ id: 'a@example.com' }] },
      }),
  ],
  [
    'create_event',
    { summary: 'Day', start: '2026-11-16', end: '2026-11-17', attendees: ['a@example.com'] },
    async (url) =>
      (await calendar(url)).events.insert({
        calendarId: 'primary',
        sendUpdates: 'all',
        fields: EVENT_FIELDS,
        requestBody: {
          summary: 'Day',
          start: { date: '2026-11-16' },
          end: { date: '2026-11-17' },
          attendees: [{ email: 'a@example.com' }],
        },
      }),
  ],
  [
    'update_event',
    { eventId: 'e1', start: FROM },
    async (url) =>
      (await calendar(url)).events.patch({
        calendarId: 'primary',
        eventId: 'e1',
        sendUpdates: 'all',
        fields: EVENT_FIELDS,
        requestBody: { start: { dateTime: FROM } },
      }),
  ],
  [
    'delete_event',
    { eventId: 'e1' },
    async (url) =>
      (await calendar(url)).events.delete({ calendarId: 'primary', eventId: 'e1', sendUpdates: 'all' }),
  ],
]

test("google-calendar sends its SDK's requests", async () => {
  const target = createTarget(googleCalendar)
  await expectSameRequests(target, CALENDAR)
  const [list] = await recordRequests(async (url) =>
    (await calendar(url)).calendarList.get({ calendarId: 'primary' }),
  )
  expect(toComparable(await sentRequest(target, googleCalendar.check.request))).toEqual(toComparable(list!))
})

test('drive and calendar watch and stop like their SDKs, with a channel id from registration time', async () => {
  const id = `hook-${registeredEndpoint().now.getTime()}`
  const expiration = String(registeredEndpoint().now.getTime() + 7 * 86_400_000)
  const requestBody = {
    id,
    type: 'web_hook',
    address: registeredEndpoint().url,
    token: 'a-secret',
    expiration,
  }
  const watches = [
    [
      googleDrive,
      async (url: string) =>
        (await drive(url)).changes.watch({
          pageToken: '42',
          supportsAllDrives: true,
          includeItemsFromAllDrives: true,
          requestBody,
        }),
    ],
    [
      googleCalendar,
      async (url: string) =>
        (await calendar(url)).events.watch({ calendarId: 'team@example.com', requestBody }),
    ],
  ] as const
  for (const [definition, vendor] of watches) {
    const { setup } = definition.receiver!
    if (setup.by !== 'api') throw new Error('it has an API')
    const { request, keep } = setup.register(
      registeredEndpoint({ config: { calendarId: 'team@example.com' } }),
    )
    const target = createTarget(definition, { kept: { startPageToken: '42' } })
    expect(toComparable(await sentRequest(target, request))).toEqual(
      toComparable((await recordRequests(vendor))[0]!),
    )
    const kept = keep!({ id, resourceId: 'r1' })
    expect(kept).toMatchObject({ channelId: id, resourceId: 'r1' })
    const [stop] = await recordRequests(async (url) =>
      definition === googleDrive
        ? (await drive(url)).channels.stop({ requestBody: { id, resourceId: 'r1' } })
        : (await calendar(url)).channels.stop({ requestBody: { id, resourceId: 'r1' } }),
    )
    expect(toComparable(await sentRequest(target, setup.unregister(kept, {})))).toEqual(toComparable(stop!))
  }
})
