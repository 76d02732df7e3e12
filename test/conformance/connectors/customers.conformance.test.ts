import { expect, test } from 'vitest'
import { hubspot } from '../../../server/features/connections/connectors/catalog/customers/hubspot.ts'
import { intercom } from '../../../server/features/connections/connectors/catalog/customers/intercom.ts'
import { salesforce } from '../../../server/features/connections/connectors/catalog/customers/salesforce.ts'
import { zendesk } from '../../../server/features/connections/connectors/catalog/customers/zendesk.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { recordedRequests } from '../../../server/features/connections/connectors/catalog/testing/recorded.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import {
  buildRequest,
  ForeignHostError,
} from '../../../server/features/connections/connectors/requests/build-request.ts'

test("hubspot sends its SDK's requests", async () => {
  const theirs = recordedRequests('hubspot')
  const note = theirs.add_note!
  const properties = (note.body as { properties: Record<string, string> }).properties
  // The time of a note is the time of the call.
  const noteAtAnyTime = {
    ...note,
    body: { ...(note.body as object), properties: { ...properties, hs_timestamp: expect.any(String) } },
  }
  await expectSameRequests(createTarget(hubspot), [
    ['search_contacts', { query: 'ada' }, theirs.search_contacts!],
    ['get_contact', { contact: 'ada@example.com', properties: ['city'] }, theirs.get_contact!],
    [
      'upsert_contact',
      { email: 'ada@example.com', properties: { firstname: 'Ada' } },
      theirs.upsert_contact!,
    ],
    ['search_deals', { query: 'big', limit: 5 }, theirs.search_deals!],
    [
      'create_deal',
      { name: 'Big', stage: 'appointmentscheduled', amount: 100, contactId: '7' },
      theirs.create_deal!,
    ],
    ['add_note', { text: 'Called', contactId: '7' }, noteAtAnyTime],
  ])
})

test("salesforce sends jsforce's requests to the host the authorization returned", async () => {
  const theirs = recordedRequests('salesforce')
  const target = createTarget(salesforce, { kept: { instanceUrl: 'https://acme.my.salesforce.com' } })
  const id = '001000000000001AAA'
  await expectSameRequests(target, [
    ['query', { soql: "SELECT Id FROM Account WHERE Name = 'A&B'" }, theirs.query!],
    ['describe_object', { object: 'Account' }, theirs.describe_object!],
    // The SDK reads all fields.
    [
      'get_record',
      { object: 'Account', id, fields: ['Name', 'Phone'] },
      { ...theirs.get_record!, query: { fields: 'Name,Phone' } },
    ],
    [
      'upsert_record',
      { object: 'Account', externalIdField: 'Key__c', externalId: 'a 1', fields: { Name: 'A' } },
      theirs.upsert_record!,
    ],
    [
      'upsert_record',
      { object: 'Account', externalIdField: 'Id', externalId: id, fields: { Name: 'A' } },
      theirs.update_record!,
    ],
    ['create_record', { object: 'Account', fields: { Name: 'A' } }, theirs.create_record!],
    [
      'create_task',
      { subject: 'Call', dueOn: '2026-11-17', whoId: '003000000000001AAA' },
      theirs.create_task!,
    ],
  ])
  const get = { method: 'GET', path: '/services/oauth2/userinfo' } as const
  expect(buildRequest(target, get, {}).url).toBe('https://acme.my.salesforce.com/services/oauth2/userinfo')
  for (const instanceUrl of [
    'https://evil.example',
    'https://salesforce.com.evil.example',
    'http://a.salesforce.com',
  ]) {
    expect(() => buildRequest({ ...target, kept: { instanceUrl } }, get, {})).toThrow(ForeignHostError)
  }
})

test('salesforce returns records without types and URLs, and the first listed error', () => {
  const { answer } = salesforce.tools.find(({ name }) => name === 'query')!
  const attributes = { type: 'Account', url: '/x' }
  const owner = { attributes, Name: 'Ada' }
  const body = { totalSize: 1, done: true, records: [{ attributes, Id: '1', Owner: owner, Tags: null }] }
  expect(answer!.map!(body)).toEqual({
    totalSize: 1,
    done: true,
    records: [{ Id: '1', Owner: { Name: 'Ada' }, Tags: null }],
  })
  const limited = [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'Too many' }]
  expect(failure(salesforce, 403, limited)).toMatchObject({ means: 'slow_down', message: 'Too many' })
  expect(failure(salesforce, 401, [{ errorCode: 'INVALID_SESSION_ID', message: 'Expired' }])?.means).toBe(
    'expired',
  )
})

const zendeskClient = async (url: string) => {
  // The types name exports of a module; at run time they are properties of its default.
  const { default: zendesk } = (await import('node-zendesk')) as unknown as {
    default: typeof import('node-zendesk')
  }
  return zendesk.createClient({ endpointUri: `${url}/api/v2`, username: 'a', token: 'token' })
}
const ticket = (values: object) => ({ ticket: values }) as never
const ZENDESK: ToolCase[] = [
  [
    'create_ticket',
    { subject: 'Help', body: 'Hi', requesterEmail: 'a@example.com', priority: 'high' },
    async (url) =>
      (await zendeskClient(url)).tickets.create(
        ticket({
          subject: 'Help',
          comment: { body: 'Hi' },
          priority: 'high',
          requester: { email: 'a@example.com', name: 'a@example.com' },
        }),
      ),
  ],
  [
    'reply',
    { ticketId: 17, body: 'Done', status: 'solved' },
    async (url) =>
      (await zendeskClient(url)).tickets.update(
        17,
        ticket({ comment: { body: 'Done', public: true }, status: 'solved' }),
      ),
  ],
  [
    'search_tickets',
    { query: 'status:open a&b', limit: 5 },
    {
      method: 'GET',
      path: '/api/v2/search.json',
      query: {
        per_page: '5',
        query: 'type:ticket status:open a&b',
        sort_by: 'updated_at',
        sort_order: 'desc',
      },
      body: null,
    },
  ],
  [
    'get_ticket',
    { ticketId: 17 },
    { method: 'GET', path: '/api/v2/tickets/17.json', query: { include: 'users' }, body: null },
  ],
  [
    'list_comments',
    { ticketId: 17 },
    { method: 'GET', path: '/api/v2/tickets/17/comments.json', query: { 'page[size]': '50' }, body: null },
  ],
]

test("zendesk sends node-zendesk's requests to the subdomain's host", async () => {
  const target = createTarget(zendesk, { config: { subdomain: 'acme' } })
  await expectSameRequests(target, ZENDESK)
  const reads: [string, (url: string) => Promise<unknown>][] = [
    ['/api/v2/users/me.json', async (url) => (await zendeskClient(url)).users.me()],
    ['/api/v2/tickets/17.json', async (url) => (await zendeskClient(url)).tickets.show(17)],
    ['/api/v2/tickets/17/comments.json', async (url) => (await zendeskClient(url)).tickets.getComments(17)],
    ['/api/v2/search.json', async (url) => (await zendeskClient(url)).search.query('type:ticket')],
  ]
  for (const [path, vendor] of reads) expect((await recordRequests(vendor))[0]!.path).toBe(path)
  expect((await sentRequest(target, zendesk.check.request)).path).toBe('/api/v2/users/me.json')
  expect(buildRequest(target, { method: 'GET', path: '/' }, {}).url).toBe('https://acme.zendesk.com/')
})

test("intercom sends its SDK's requests to the region's host", async () => {
  const theirs = recordedRequests('intercom')
  const target = createTarget(intercom)
  await expectSameRequests(target, [
    ['search_contacts', { value: 'ada@example.com' }, theirs.search_contacts!],
    ['search_conversations', { contactId: '5f' }, theirs.search_conversations!],
    ['get_conversation', { conversationId: '123' }, theirs.get_conversation!],
    ['reply', { conversationId: '123', text: 'Hello' }, theirs.reply!],
    ['add_note', { conversationId: '123', text: 'Hello' }, theirs.add_note!],
  ])
  expect(toComparable(await sentRequest(target, intercom.check.request))).toEqual(theirs.check)
  const hostIn = (region: string) =>
    new URL(buildRequest({ ...target, config: { region } }, { method: 'GET', path: '/me' }, {}).url).host
  expect(['', 'us', 'eu', 'au'].map(hostIn)).toEqual([
    'api.intercom.io',
    'api.intercom.io',
    'api.eu.intercom.io',
    'api.au.intercom.io',
  ])
})
