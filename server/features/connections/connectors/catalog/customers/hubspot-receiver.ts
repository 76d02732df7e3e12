import { dictionary } from '../../../../../../contract/dictionary.ts'
import { HUBSPOT } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, lookup, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt, summary } from '../summary.ts'

const EVENTS = {
  'hubspot.contact.creation': 'A contact was created',
  'hubspot.contact.propertyChange': 'A contact changed',
  'hubspot.contact.deletion': 'A contact was deleted',
  'hubspot.company.creation': 'A company was created',
  'hubspot.deal.creation': 'A deal was created',
  'hubspot.deal.propertyChange': 'A deal changed',
  'hubspot.deal.deletion': 'A deal was deleted',
} as const

/** Apps of the newer platform name the type by its number. */
const TYPES: Readonly<Record<string, string>> = dictionary({
  '0-1': 'contact',
  '0-2': 'company',
  '0-3': 'deal',
})

export const hubspotReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [HUBSPOT], secret: { from: 'client' } },
  events: EVENTS,
  sessionKey: 'hubspot:{thread}',
  normalize: ({ body, account }) =>
    itemsAt(body, '').flatMap((item) => {
      const type = displayTextAt(item, 'subscriptionType')?.replace(
        /^object\b/,
        lookup(TYPES, displayTextAt(item, 'objectTypeId')) ?? 'object',
      )
      const eventKey = `hubspot.${type}`
      const [eventId, objectId] = [displayTextAt(item, 'eventId'), displayTextAt(item, 'objectId')]
      // An app has one URL for all accounts that use it.
      const isOwn = displayTextAt(item, 'portalId') === account.id
      if (!isOwn || eventId === null || objectId === null || !Object.hasOwn(EVENTS, eventKey)) return []
      const [object] = type!.split('.') as [string]
      return [
        normalizedEvent({
          eventKey,
          // `eventId` alone is not unique.
          externalId: [
            eventId,
            displayTextAt(item, 'subscriptionId'),
            objectId,
            displayTextAt(item, 'occurredAt'),
          ].join(':'),
          actor: {
            id: displayTextAt(item, 'sourceId'),
            name: null,
            // A change by the agent is reported as a change by an integration.
            isBot: displayTextAt(item, 'changeSource') === 'INTEGRATION',
          },
          text: summary(EVENTS[eventKey as keyof typeof EVENTS], {
            [object]: objectId,
            property: displayTextAt(item, 'propertyName'),
            value: displayTextAt(item, 'propertyValue'),
            source: displayTextAt(item, 'changeSource'),
          }),
          thread: `${object}:${objectId}`,
          resource: { type: object, id: objectId, url: null },
        }),
      ]
    }),
  setup: {
    by: 'hand',
    steps: [
      'In HubSpot, open the developer app whose client this server uses, and then Webhooks.',
      'Set the target URL to {url}.',
      'Create and activate subscriptions to the events that the agent handles.',
    ],
  },
}
