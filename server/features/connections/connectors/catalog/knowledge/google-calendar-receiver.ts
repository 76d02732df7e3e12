import { GOOGLE_CHANNEL } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt, summary } from '../summary.ts'
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
        hint: 'The id of a calendar, from its settings. Empty: your own.',
        required: false,
        pattern: '[^\\s/\\\\]{1,254}',
      },
    ],
    renewDays: CHANNEL_RENEW_DAYS,
  },
}
