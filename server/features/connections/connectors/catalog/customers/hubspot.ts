import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { hubspotReceiver } from './hubspot-receiver.ts'

const CONTACT_FIELDS = [
  'firstname',
  'lastname',
  'email',
  'phone',
  'company',
  'jobtitle',
  'lifecyclestage',
] as const
const objectId = z.string().regex(/^\d{1,20}$/, 'must be the id of a record: digits')
const properties = z
  .record(z.string().regex(/^\w{1,100}$/, 'must be the internal name of a property'), z.string().max(65_536))
  .describe('Internal name of a property → value')

/** Types of associations that HubSpot defines. */
const ASSOCIATIONS = { dealToContact: 3, noteToContact: 202, noteToDeal: 214 } as const
const association = (id: string, type: keyof typeof ASSOCIATIONS) => ({
  to: { id },
  types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: ASSOCIATIONS[type] }],
})

export const hubspot: ConnectorDefinition = {
  slug: 'hubspot',
  name: 'HubSpot',
  description: 'Finds and changes contacts, creates deals and adds notes.',
  category: 'customers',
  docsUrl: 'https://developers.hubspot.com/docs/api-reference/overview',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
    // HubSpot removes the URL of version 1 on 2027-02-16.
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
      description: 'Use this to read a contact by its email address or id, with the ids of its deals.',
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
        stage: z
          .string()
          .min(1)
          .max(100)
          .describe('The internal name of a stage, such as appointmentscheduled'),
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
