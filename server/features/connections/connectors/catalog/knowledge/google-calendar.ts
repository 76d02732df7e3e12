import { z } from 'zod'
import { GOOGLE_CHANNEL } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'
import {
  CHANNEL_RENEW_DAYS,
  channel,
  GOOGLE_ERROR_FIELDS,
  googleOAuth,
  keptChannel,
  notification,
  stopBody,
} from '../google.ts'

const NEW_MS = 10_000
const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

const EVENTS = {
  'google-calendar.event': 'An event was created or changed',
  'google-calendar.cancelled': 'An event was canceled',
} as const

const eventsOf = (calendarId: string | undefined) =>
  `/calendar/v3/calendars/${encodeURIComponent(calendarId || 'primary')}/events`

/** Who changed an event is unknown. Who created it is known until it changes. */
const isNew = (item: unknown) =>
  Date.parse(displayTextAt(item, 'updated') ?? '') - Date.parse(displayTextAt(item, 'created') ?? '') < NEW_MS

export const calendarReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [GOOGLE_CHANNEL], secret: { from: 'generated' } },
  events: EVENTS,
  sessionKey: 'google-calendar:{thread}',
  normalize: (event) => {
    const received = notification(event)
    if (received === null) return []
    const { externalId, since } = received
    return [
      normalizedEvent({
        eventKey: 'google-calendar.event',
        externalId,
        thread: 'changes',
        replyTo: { since },
      }),
    ]
  },
  fetch: {
    request: ({ text, replyTo }, { calendarId }) =>
      text !== null
        ? null
        : {
            method: 'GET',
            path: eventsOf(calendarId),
            query: {
              updatedMin: replyTo.since!,
              orderBy: 'updated',
              showDeleted: true,
              maxResults: 100,
              fields:
                'items(id,summary,description,location,status,start,end,htmlLink,created,updated,creator(email,self),organizer(email),attendees(email,responseStatus))',
            },
          },
    complete: (_, answer) => ({
      events: itemsAt(answer, 'items').flatMap((item) => {
        const [id, updated] = [displayTextAt(item, 'id'), displayTextAt(item, 'updated')]
        if (id === null || updated === null) return []
        const eventKey =
          displayTextAt(item, 'status') === 'cancelled'
            ? 'google-calendar.cancelled'
            : 'google-calendar.event'
        const attendees = itemsAt(item, 'attendees').map(
          (each) => `${displayTextAt(each, 'email')} (${displayTextAt(each, 'responseStatus') ?? 'unknown'})`,
        )
        return [
          normalizedEvent({
            eventKey,
            externalId: `${id}:${updated}`,
            actor: {
              id: isNew(item) ? displayTextAt(item, 'creator.email') : null,
              name: null,
              isBot: false,
            },
            text: summary(EVENTS[eventKey], {
              title: displayTextAt(item, 'summary'),
              eventId: id,
              start: displayTextAt(item, 'start.dateTime') ?? displayTextAt(item, 'start.date'),
              end: displayTextAt(item, 'end.dateTime') ?? displayTextAt(item, 'end.date'),
              location: displayTextAt(item, 'location'),
              organizer: displayTextAt(item, 'organizer.email'),
              attendees: attendees.length > 0 ? attendees.join(', ') : null,
              description: displayTextAt(item, 'description'),
            }),
            thread: id,
            resource: { type: 'event', id, url: displayTextAt(item, 'htmlLink') },
          }),
        ]
      }),
    }),
  },
  setup: {
    by: 'api',
    register: (endpoint) => ({
      request: {
        method: 'POST',
        path: `${eventsOf(endpoint.config.calendarId)}/watch`,
        json: channel(endpoint),
      },
      keep: (answer) => ({ ...keptChannel(answer), calendarId: endpoint.config.calendarId || 'primary' }),
    }),
    unregister: (kept) => ({ method: 'POST', path: '/calendar/v3/channels/stop', json: stopBody(kept) }),
    fields: [
      {
        key: 'calendarId',
        label: 'Calendar',
        hint: 'A calendar id, from its settings. Empty: your own.',
        required: false,
        pattern: '[^\\s/\\\\]{1,254}',
      },
    ],
    renewDays: CHANNEL_RENEW_DAYS,
  },
}

const calendarId = z.string().min(1).max(320).default('primary').describe('primary: the main calendar')

const eventId = z.string().regex(/^[\w-]{1,1024}$/, 'must be an event id')

const instant = z
  .string()
  .regex(OFFSET_TIME, 'must be a time with its offset, such as 2026-11-16T09:00:00+01:00')

const dayOrTime = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\d$/.test(value) || OFFSET_TIME.test(value), {
    error: 'must be a day such as 2026-11-16, or a time with its offset such as 2026-11-16T09:00:00+01:00',
  })
  .describe('A day for all-day events, or a time with its offset')

const emails = z.array(z.email().max(320)).max(100)

const timeOf = (value: string): Record<string, string> =>
  value.length === 10 ? { date: value } : { dateTime: value }

const EVENT_FIELDS =
  'id,summary,description,location,status,start,end,htmlLink,hangoutLink,recurringEventId,organizer(email),attendees(email,displayName,responseStatus)'

export const googleCalendar: ConnectorDefinition = {
  slug: 'google-calendar',
  name: 'Google Calendar',
  description: 'Read calendars, find free times, and create and change events.',
  category: 'knowledge',
  docsUrl: 'https://developers.google.com/workspace/calendar/api/v3/reference',
  checkedAt: '2026-11-16',
  auth: googleOAuth([
    'https://www.googleapis.com/auth/calendar.events',
    'https://www.googleapis.com/auth/calendar.readonly',
  ]),
  baseUrl: 'https://www.googleapis.com',
  check: {
    request: { method: 'GET', path: '/calendar/v3/users/me/calendarList/primary' },
    account: { id: 'id', name: 'summary', email: 'id' },
  },
  errorFields: GOOGLE_ERROR_FIELDS,
  tools: [
    tool({
      name: 'list_events',
      description:
        'Use this to see the events in a period, or to find an event by its words. Ordered by start time.',
      input: z.object({
        calendarId,
        from: instant.describe('Start of the period'),
        to: instant.optional().describe('End of the period'),
        text: z.string().max(200).optional(),
        limit: z.int().min(1).max(250).default(50),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/calendar/v3/calendars/{calendarId}/events',
        query: {
          timeMin: from('from'),
          timeMax: from('to'),
          q: from('text'),
          singleEvents: true,
          orderBy: 'startTime',
          maxResults: from('limit'),
          fields: `nextPageToken,items(${EVENT_FIELDS})`,
        },
      },
      answer: { at: 'items' },
      pages: { by: 'cursor', next: 'nextPageToken', send: { query: 'pageToken' } },
    }),
    tool({
      name: 'list_calendars',
      description: 'Use this to find the id of a calendar other than the primary one.',
      input: z.object({ limit: z.int().min(1).max(250).default(50) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/calendar/v3/users/me/calendarList',
        query: {
          maxResults: from('limit'),
          fields: 'nextPageToken,items(id,summary,timeZone,accessRole,primary)',
        },
      },
      answer: { at: 'items' },
      pages: { by: 'cursor', next: 'nextPageToken', send: { query: 'pageToken' } },
    }),
    tool({
      name: 'free_busy',
      description:
        'Use this to find a free time: it returns busy periods for people whose calendars are visible.',
      input: z.object({ from: instant, to: instant, calendars: emails.min(1).max(50) }),
      effect: 'read',
      risk: 'none',
      request: ({ from: timeMin, to: timeMax, calendars }) => ({
        method: 'POST',
        path: '/calendar/v3/freeBusy',
        json: { timeMin, timeMax, items: calendars.map((id) => ({ id })) },
      }),
      answer: { at: 'calendars' },
    }),
    tool({
      name: 'create_event',
      description: 'Use this to create an event. The attendees receive an invitation by email.',
      input: z.object({
        calendarId,
        summary: z.string().min(1).max(1000),
        start: dayOrTime,
        end: dayOrTime.describe('For all-day events: the day after the last one'),
        description: z.string().max(8000).optional(),
        location: z.string().max(1000).optional(),
        attendees: emails.optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ summary, start, end, attendees }) => ({
        method: 'POST',
        path: '/calendar/v3/calendars/{calendarId}/events',
        query: { sendUpdates: 'all', fields: EVENT_FIELDS },
        json: {
          summary,
          description: from('description'),
          location: from('location'),
          start: timeOf(start),
          end: timeOf(end),
          ...(attendees && { attendees: attendees.map((email) => ({ email })) }),
        },
      }),
    }),
    tool({
      name: 'update_event',
      description:
        'Use this to move or change an event. Only the given fields change, and the attendees are notified.',
      input: z.object({
        calendarId,
        eventId,
        summary: z.string().min(1).max(1000).optional(),
        start: dayOrTime.optional(),
        end: dayOrTime.optional(),
        description: z.string().max(8000).optional(),
        location: z.string().max(1000).optional(),
      }),
      effect: 'idempotent',
      risk: 'send',
      request: ({ start, end }) => ({
        method: 'PATCH',
        path: '/calendar/v3/calendars/{calendarId}/events/{eventId}',
        query: { sendUpdates: 'all', fields: EVENT_FIELDS },
        json: {
          summary: from('summary'),
          description: from('description'),
          location: from('location'),
          ...(start && { start: timeOf(start) }),
          ...(end && { end: timeOf(end) }),
        },
      }),
    }),
    tool({
      name: 'delete_event',
      description: 'Use this to cancel an event. The attendees are notified.',
      input: z.object({ calendarId, eventId }),
      effect: 'idempotent',
      risk: 'delete',
      request: {
        method: 'DELETE',
        path: '/calendar/v3/calendars/{calendarId}/events/{eventId}',
        query: { sendUpdates: 'all' },
      },
    }),
  ],
  receiver: calendarReceiver,
}
