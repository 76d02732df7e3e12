import { z } from 'zod'
import { anonymous, attemptsPerIp, endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, Timestamp, TimeZone, text } from '../fields.ts'
import {
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_LIMITS,
  type NotificationKind,
} from './notification-options.ts'

const Kind = z.enum(NOTIFICATION_KIND_NAMES)
const Channel = z.enum(NOTIFICATION_CHANNELS)
const Channels = z.object(
  Object.fromEntries(NOTIFICATION_KIND_NAMES.map((kind) => [kind, Channel])) as Record<
    NotificationKind,
    typeof Channel
  >,
)

export const Notification = z.object({
  id: Id,
  kind: Kind,
  title: z.string().describe('Sentence, such as "Ada mentioned you on “Plan”"'),
  excerpt: z.string().nullable().describe('First part of the comment; null for other kinds'),
  actor: z
    .object({ id: Id.nullable(), name: z.string() })
    .nullable()
    .describe('Who caused it. The id is null for a guest'),
  path: z.string().describe('Dashboard page that shows it'),
  target: z.string().nullable().describe('Target of the comment, such as `block:<id>`'),
  projectId: Id.nullable(),
  projectName: z.string().nullable(),
  readAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

const NotificationSettings = z.object({
  mail: z.object({
    available: z.boolean().describe('Whether this server sends email'),
    verified: z.boolean().describe('Whether your email address is verified. If not, you receive no email'),
  }),
  timeZone: z.string(),
  digestHour: z.int().describe('Hour of the digest in your time zone'),
  nextDigestAt: Timestamp.nullable().describe(
    'Null unless a kind uses the channel `digest` and email is available',
  ),
  channels: Channels.describe(
    'Channel in effect: `app` instead of `mail` and `digest` if email is unavailable',
  ),
})

const limit = { name: 'notifications', by: 'caller', capacity: 120, perSeconds: 60 } as const

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/notifications',
    summary: 'List notifications',
    description: `Your notifications in this organization, newest first. They are stored for ${NOTIFICATION_LIMITS.days} days, up to the newest ${NOTIFICATION_LIMITS.perPerson.toLocaleString('en-US')}. Omits notifications about records you can no longer see.`,
    access: member(),
    query: z.object({ ...cursorQuery, unread: queryFlag(), kind: Kind.optional() }),
    output: cursorPage(Notification).extend({
      unreadCount: z.int().describe(`At most ${NOTIFICATION_LIMITS.counted}`),
    }),
    standby: true,
  }),
  count: endpoint({
    method: 'GET',
    path: '/api/v1/notifications/count',
    summary: 'Count unread notifications',
    access: member(),
    output: z.object({ unreadCount: z.int().describe(`At most ${NOTIFICATION_LIMITS.counted}`) }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/v1/notifications/read',
    summary: 'Mark notifications as read',
    description: 'Either `ids` or `all`. With `read: false`, marks them as unread.',
    access: member(),
    body: z
      .object({
        ids: z.array(Id).min(1, 'must have at least one id').max(100, 'must have at most 100 ids').optional(),
        all: z.literal(true).optional(),
        read: z.boolean().default(true),
      })
      .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
        error: 'must have either ids or all',
      })
      .meta({ examples: [{ all: true }] }),
    output: z.object({ unreadCount: z.int() }),
    limit,
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/v1/notifications/settings',
    summary: 'Get notification settings',
    access: member(),
    output: NotificationSettings,
  }),
  updateSettings: endpoint({
    method: 'PATCH',
    path: '/api/v1/notifications/settings',
    summary: 'Change notification settings',
    description:
      '`app`: in the inbox. `mail`: also by email immediately. `digest`: also in one email a day, in the morning in your time zone, if still unread. `off`: not at all. Omitted kinds stay unchanged.',
    access: member(),
    body: z
      .object({ channels: Channels.partial().strict(), timeZone: TimeZone })
      .partial()
      .refine((change) => change.channels !== undefined || change.timeZone !== undefined, {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ channels: { reply: 'digest' }, timeZone: 'Europe/Berlin' }] }),
    output: NotificationSettings,
    limit,
  }),
  confirmUnsubscribe: endpoint({
    method: 'GET',
    path: '/api/v1/notifications/unsubscribe',
    summary: 'Open the unsubscribe page',
    description:
      'The link in emails. Redirects to a page that asks first, because mail programs open links automatically.',
    access: anonymous(),
    query: z.object({ token: text(1, 300) }),
    output: z.null(),
    status: 302,
    redirects: true,
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/api/v1/notifications/unsubscribe',
    summary: 'Unsubscribe from emails',
    description:
      'One-click unsubscribe for mail programs (RFC 8058), with any body. Notifications of this kind, or all kinds for a digest, stay in the inbox. Returns NOT_FOUND for a link that this server did not create.',
    access: anonymous(),
    query: z.object({ token: text(1, 300) }),
    raw: true,
    bodyBytesMax: 10_000,
    output: z.object({ unsubscribed: z.array(Kind) }),
    limit: attemptsPerIp('unsubscribe'),
  }),
}
