import { GOOGLE_CHANNEL } from '../../../../signatures/provider-schemes.ts'
import { itemsAt, normalized } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { shownAt, summary } from '../summary.ts'
import { CHANNEL_RENEW_DAYS, channel, keptChannel, notification, stopBody } from './google-channel.ts'

const EVENTS = {
  'google-calendar.event': 'An event was created or changed',
  'google-calendar.cancelled': 'An event was canceled',
} as const

const NEW_MS = 10_000

const eventsOf = (calendarId: string | undefined) =>
  `/calendar/v3/calendars/${encodeURIComponent(calendarId || 'primary')}/events`

/** Who changed an event is unknown; who created it is known until it changes. */
const isNew = (item: unknown) =>
  Date.parse(shownAt(item, 'updated') ?? '') - Date.parse(shownAt(item, 'created') ?? '') < NEW_MS

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
      normalized({ eventKey: 'google-calendar.event', externalId, thread: 'changes', replyTo: { since } }),
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
        const [id, updated] = [shownAt(item, 'id'), shownAt(item, 'updated')]
        if (id === null || updated === null) return []
        const eventKey =
          shownAt(item, 'status') === 'cancelled' ? 'google-calendar.cancelled' : 'google-calendar.event'
        const attendees = itemsAt(item, 'attendees').map(
          (each) => `${shownAt(each, 'email')} (${shownAt(each, 'responseStatus') ?? 'unknown'})`,
        )
        return [
          normalized({
            eventKey,
            externalId: `${id}:${updated}`,
            actor: { id: isNew(item) ? shownAt(item, 'creator.email') : null, name: null, isBot: false },
            text: summary(EVENTS[eventKey], {
              title: shownAt(item, 'summary'),
              eventId: id,
              start: shownAt(item, 'start.dateTime') ?? shownAt(item, 'start.date'),
              end: shownAt(item, 'end.dateTime') ?? shownAt(item, 'end.date'),
              location: shownAt(item, 'location'),
              organizer: shownAt(item, 'organizer.email'),
              attendees: attendees.length > 0 ? attendees.join(', ') : null,
              description: shownAt(item, 'description'),
            }),
            thread: id,
            resource: { type: 'event', id, url: shownAt(item, 'htmlLink') },
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
        hint: 'The id of a calendar, from its settings. Empty: your own.',
        required: false,
        pattern: '[^\\s/\\\\]{1,254}',
      },
    ],
    renewDays: CHANNEL_RENEW_DAYS,
  },
}
