import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { GOOGLE_ERROR_FIELDS, googleOAuth } from '../google-oauth.ts'
import { calendarReceiver } from './google-calendar-receiver.ts'

const calendarId = z.string().min(1).max(320).default('primary').describe('primary: the main calendar')
const eventId = z.string().regex(/^[\w-]{1,1024}$/, 'must be the id of an event')
const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
const instant = z
  .string()
  .regex(OFFSET_TIME, 'must be a time with its offset, such as 2026-11-16T09:00:00+01:00')
const dayOrTime = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\d$/.test(value) || OFFSET_TIME.test(value), {
    error: 'must be a day such as 2026-11-16, or a time with its offset such as 2026-11-16T09:00:00+01:00',
  })
  .describe('A day for events of whole days, or a time with its offset')
const emails = z.array(z.email().max(320)).max(100)
const timeOf = (value: string): Record<string, string> =>
  value.length === 10 ? { date: value } : { dateTime: value }

const EVENT_FIELDS =
  'id,summary,description,location,status,start,end,htmlLink,hangoutLink,recurringEventId,organizer(email),attendees(email,displayName,responseStatus)'

export const googleCalendar: ConnectorDefinition = {
  slug: 'google-calendar',
  name: 'Google Calendar',
  description: 'Reads calendars, finds free times, and creates and changes events.',
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
        'Use this to see the events of a period, or to find an event by its words. In order of their start.',
      input: z.object({
        calendarId,
        from: instant.describe('The start of the period'),
        to: instant.optional().describe('The end of the period'),
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
        'Use this to find a time that is free: it returns the busy periods of people whose calendars are visible.',
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
        end: dayOrTime.describe('For whole days: the day after the last one'),
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
