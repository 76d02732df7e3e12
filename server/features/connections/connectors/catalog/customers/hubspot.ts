import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { HUBSPOT } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, lookup, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'

const EVENTS = {
  'hubspot.contact.creation': 'A contact was created',
  'hubspot.contact.propertyChange': 'A contact changed',
  'hubspot.contact.deletion': 'A contact was deleted',
  'hubspot.company.creation': 'A company was created',
  'hubspot.deal.creation': 'A deal was created',
  'hubspot.deal.propertyChange': 'A deal changed',
  'hubspot.deal.deletion': 'A deal was deleted',
} as const

/** Newer apps name the type by number. */
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
      // An app has one URL for all accounts.
      const isOwn = displayTextAt(item, 'portalId') === account.id
      if (!isOwn || eventId === null || objectId === null || !Object.hasOwn(EVENTS, eventKey)) return []
      const [object] = type!.split('.') as [string]
      return [
        normalizedEvent({
          eventKey,
          // `eventId` alone isn't unique.
          externalId: [
            eventId,
            displayTextAt(item, 'subscriptionId'),
            objectId,
            displayTextAt(item, 'occurredAt'),
          ].join(':'),
          actor: {
            id: displayTextAt(item, 'sourceId'),
            name: null,
            // HubSpot reports an agent's change as an integration's.
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
      'In HubSpot, open the developer app whose client this server uses, then Webhooks.',
      'Set the target URL to {url}.',
      'Create and activate subscriptions to the events that the agent handles.',
    ],
  },
}

const CONTACT_FIELDS = [
  'firstname',
  'lastname',
  'email',
  'phone',
  'company',
  'jobtitle',
  'lifecyclestage',
] as const

const objectId = z.string().regex(/^\d{1,20}$/, 'must be a record id: digits')

const properties = z
  .record(z.string().regex(/^\w{1,100}$/, 'must be a property’s internal name'), z.string().max(65_536))
  .describe('Property’s internal name → value')

/** Association types defined by HubSpot. */
const ASSOCIATIONS = { dealToContact: 3, noteToContact: 202, noteToDeal: 214 } as const

const association = (id: string, type: keyof typeof ASSOCIATIONS) => ({
  to: { id },
  types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: ASSOCIATIONS[type] }],
})

export const hubspot: ConnectorDefinition = {
  slug: 'hubspot',
  name: 'HubSpot',
  description: 'Find and change contacts, create deals and add notes.',
  category: 'customers',
  docsUrl: 'https://developers.hubspot.com/docs/api-reference/overview',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
    // HubSpot removes the version 1 URL on 2027-02-16.
    tokenUrl: 'https://api.hubapi.com/oauth/2026-03/token',
    registerUrl: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/overview',
    scopes: {
      default: [
        'oauth',
        'crm.objects.contacts.read',
        'crm.objects.contacts.write',
        'crm.objects.deals.read',
        'crm.objects.deals.write',
      ],
    },
    pkce: 'no',
    lifetime: { access: 1800, refresh: 'stays' },
  },
  baseUrl: 'https://api.hubapi.com',
  check: {
    request: { method: 'GET', path: '/account-info/v3/details' },
    account: { id: 'portalId', name: 'uiDomain' },
  },
  errorFields: { code: 'category', message: 'message' },
  tools: [
    tool({
      name: 'search_contacts',
      description:
        'Use this to find contacts by words in their name, email address, phone number or company.',
      input: z.object({ query: z.string().min(1).max(3000), limit: z.int().min(1).max(200).default(20) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'POST',
        path: '/crm/v3/objects/contacts/search',
        json: { query: from('query'), limit: from('limit'), properties: CONTACT_FIELDS },
      },
      answer: { at: 'results', pick: ['id', 'properties', 'createdAt', 'updatedAt'] },
      pages: { by: 'cursor', next: 'paging.next.after', send: { body: 'after' } },
    }),
    tool({
      name: 'get_contact',
      description: 'Use this to read a contact by its email address or id, with its deal ids.',
      input: z.object({
        contact: z.string().min(1).max(320).describe('An id or an email address'),
        properties: z
          .array(z.string().regex(/^\w{1,100}$/))
          .max(50)
          .default([])
          .describe('Further properties'),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ contact, properties }) => ({
        method: 'GET',
        path: '/crm/v3/objects/contacts/{contact}',
        query: {
          properties: [...CONTACT_FIELDS, ...properties],
          associations: 'deals',
          ...(contact.includes('@') && { idProperty: 'email' }),
        },
      }),
      answer: { pick: ['id', 'properties', 'createdAt', 'updatedAt', 'associations.deals.results.id'] },
    }),
    tool({
      name: 'upsert_contact',
      description: 'Use this to create a contact or to change the contact that has this email address.',
      input: z.object({ email: z.email().max(320), properties }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/crm/v3/objects/contacts/batch/upsert',
        json: { inputs: [{ id: from('email'), idProperty: 'email', properties: from('properties') }] },
      },
      answer: { at: 'results', pick: ['id', 'new', 'properties.email', 'updatedAt'] },
    }),
    tool({
      name: 'search_deals',
      description: 'Use this to find deals by words in their name.',
      input: z.object({ query: z.string().min(1).max(3000), limit: z.int().min(1).max(200).default(20) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'POST',
        path: '/crm/v3/objects/deals/search',
        json: {
          query: from('query'),
          limit: from('limit'),
          properties: ['dealname', 'amount', 'dealstage', 'pipeline', 'closedate', 'hubspot_owner_id'],
        },
      },
      answer: { at: 'results', pick: ['id', 'properties', 'updatedAt'] },
      pages: { by: 'cursor', next: 'paging.next.after', send: { body: 'after' } },
    }),
    tool({
      name: 'create_deal',
      description: 'Use this to create a deal, for a contact if there is one.',
      input: z.object({
        name: z.string().min(1).max(500),
        stage: z.string().min(1).max(100).describe('A stage’s internal name, such as appointmentscheduled'),
        amount: z.number().min(0).optional(),
        pipeline: z.string().max(100).optional(),
        contactId: objectId.optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ amount, contactId }) => ({
        method: 'POST',
        path: '/crm/v3/objects/deals',
        json: {
          properties: {
            dealname: from('name'),
            dealstage: from('stage'),
            pipeline: from('pipeline'),
            ...(amount !== undefined && { amount: String(amount) }),
          },
          associations: contactId === undefined ? [] : [association(contactId, 'dealToContact')],
        },
      }),
      answer: {
        pick: ['id', 'properties.dealname', 'properties.dealstage', 'properties.amount', 'createdAt'],
      },
    }),
    tool({
      name: 'add_note',
      description: 'Use this to add a note to a contact or a deal. Colleagues can see it.',
      input: z
        .object({
          text: z.string().min(1).max(65_536),
          contactId: objectId.optional(),
          dealId: objectId.optional(),
        })
        .refine(({ contactId, dealId }) => (contactId ?? dealId) !== undefined, 'needs contactId or dealId'),
      effect: 'once',
      risk: 'send',
      request: ({ contactId, dealId }) => ({
        method: 'POST',
        path: '/crm/v3/objects/notes',
        json: {
          properties: { hs_timestamp: new Date().toISOString(), hs_note_body: from('text') },
          associations: [
            ...(contactId === undefined ? [] : [association(contactId, 'noteToContact')]),
            ...(dealId === undefined ? [] : [association(dealId, 'noteToDeal')]),
          ],
        },
      }),
      answer: { pick: ['id', 'createdAt'] },
    }),
  ],
  receiver: hubspotReceiver,
}
