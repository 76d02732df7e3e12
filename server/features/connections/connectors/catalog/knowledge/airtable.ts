import { z } from 'zod'
import { AIRTABLE } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { from, valueAt } from '../../definition/template.ts'

/** Airtable's limit per request. */
const RECORDS_MAX = 10

const EVENTS = {
  'airtable.record.created': 'A record was added',
  'airtable.record.changed': 'A record changed',
  'airtable.record.deleted': 'A record was deleted',
} as const

const webhookPath = ({ baseId = '', webhookId = '' }: Readonly<Record<string, string>>) =>
  `/v0/bases/${encodeURIComponent(baseId)}/webhooks/${encodeURIComponent(webhookId)}`

const entries = (value: unknown) => Object.entries((value ?? {}) as Record<string, unknown>)

export const airtableReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [AIRTABLE], secret: { from: 'registration' } },
  events: EVENTS,
  sessionKey: 'airtable:{thread}',
  // Reports only that there are new payloads.
  normalize: ({ body }) => {
    const [webhookId, timestamp] = [displayTextAt(body, 'webhook.id'), displayTextAt(body, 'timestamp')]
    if (webhookId === null || timestamp === null) return []
    const externalId = `${webhookId}:${timestamp}`
    return [normalizedEvent({ eventKey: 'airtable.record.changed', externalId, thread: 'changes' })]
  },
  fetch: {
    request: ({ text }, kept) =>
      text !== null
        ? null
        : {
            method: 'GET',
            path: `${webhookPath(kept)}/payloads`,
            query: { limit: 50, cursor: Number(kept.cursor ?? 1) },
          },
    complete: (event, answer, { kept }) => {
      const events = itemsAt(answer, 'payloads').flatMap((payload) => eventsOf(payload, kept))
      const cursor = displayTextAt(answer, 'cursor')
      const hasMore = displayTextAt(answer, 'mightHaveMore') === 'true'
      const next = { ...event, externalId: `${event.externalId}+` }
      return { events: hasMore ? [...events, next] : events, ...(cursor !== null && { keep: { cursor } }) }
    },
  },
  setup: {
    by: 'api',
    find: ({ url, config: { baseId = '' } }) => ({
      request: { method: 'GET', path: `/v0/bases/${encodeURIComponent(baseId)}/webhooks` },
      keep: (answer) => {
        const isSame = (webhook: unknown) => displayTextAt(webhook, 'notificationUrl') === url
        const webhookId = displayTextAt(itemsAt(answer, 'webhooks').find(isSame), 'id')
        return webhookId === null ? null : { baseId, webhookId, cursor: '1' }
      },
    }),
    register: ({ url, config: { baseId = '', tableId } }) => ({
      request: {
        method: 'POST',
        path: `/v0/bases/${encodeURIComponent(baseId)}/webhooks`,
        json: {
          notificationUrl: url,
          specification: {
            options: {
              filters: { dataTypes: ['tableData'], ...(tableId && { recordChangeScope: tableId }) },
              includes: { includeCellValuesInFieldIds: 'all' },
            },
          },
        },
      },
      keep: (answer) => ({ baseId, webhookId: displayTextAt(answer, 'id') ?? '', cursor: '1' }),
      secret: (answer) => displayTextAt(answer, 'macSecretBase64') ?? undefined,
    }),
    update: (kept) => ({ method: 'POST', path: `${webhookPath(kept)}/refresh` }),
    unregister: (kept) => ({ method: 'DELETE', path: webhookPath(kept) }),
    fields: [
      {
        key: 'baseId',
        label: 'Base',
        hint: 'The part of the base’s URL that starts with app.',
        required: true,
        pattern: 'app\\w{14}',
      },
      {
        key: 'tableId',
        label: 'Table',
        hint: 'The part of the URL that starts with tbl. Empty: all tables.',
        required: false,
        pattern: 'tbl\\w{14}',
      },
    ],
    // Airtable ends a webhook after 7 days.
    renewDays: 6,
  },
}

const baseId = z.string().regex(/^app\w{14}$/, 'must be a base id, such as app followed by 14 characters')

const table = z.string().min(1).max(255).describe('Table id or name, as describe_base returns it')

const fields = z.record(z.string().max(255), z.unknown()).describe('Field name → value')

const typecast = z.boolean().default(false).describe('Convert texts to the fields’ types')

export const airtable: ConnectorDefinition = {
  slug: 'airtable',
  name: 'Airtable',
  description: 'Read and write records in bases.',
  category: 'knowledge',
  docsUrl: 'https://airtable.com/developers/web/api/introduction',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    registerUrl: 'https://airtable.com/create/oauth',
    scopes: {
      default: [
        'data.records:read',
        'data.records:write',
        'schema.bases:read',
        'user.email:read',
        'webhook:manage',
      ],
    },
    pkce: 'required',
    clientAuth: 'basic',
    lifetime: { access: 3600, refresh: 'rotates', idleDays: 60 },
  },
  baseUrl: 'https://api.airtable.com',
  check: {
    request: { method: 'GET', path: '/v0/meta/whoami' },
    account: { id: 'id', name: 'email', email: 'email' },
  },
  errorFields: { code: 'error.type', message: 'error.message' },
  tools: [
    tool({
      name: 'list_bases',
      description: 'Use this first to find a base’s id.',
      input: z.object({ limit: z.int().min(1).max(1000).default(100) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v0/meta/bases' },
      answer: { at: 'bases', pick: ['id', 'name', 'permissionLevel'] },
      pages: { by: 'cursor', next: 'offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'describe_base',
      description: 'Use this to see a base’s tables with their fields, before you read or write records.',
      input: z.object({ baseId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v0/meta/bases/{baseId}/tables' },
      answer: { at: 'tables', pick: ['id', 'name', 'description', 'fields.name', 'fields.type'] },
    }),
    tool({
      name: 'list_records',
      description: 'Use this to read a table’s records, all or those that a formula selects.',
      input: z.object({
        baseId,
        table,
        formula: z.string().max(2000).optional().describe("Such as: AND({Status} = 'Open', {Amount} > 100)"),
        view: z.string().max(255).optional(),
        limit: z.int().min(1).max(500).default(50),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ limit }) => ({
        method: 'GET',
        path: '/v0/{baseId}/{table}',
        query: {
          filterByFormula: from('formula'),
          view: from('view'),
          maxRecords: limit,
          pageSize: Math.min(limit, 100),
        },
      }),
      answer: { at: 'records', pick: ['id', 'createdTime', 'fields'] },
      pages: { by: 'cursor', next: 'offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'create_records',
      description: 'Use this to add up to ten records to a table.',
      input: z.object({
        baseId,
        table,
        records: z.array(z.object({ fields })).min(1).max(RECORDS_MAX),
        typecast,
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/v0/{baseId}/{table}',
        json: { records: from('records'), typecast: from('typecast') },
      },
      answer: { at: 'records', pick: ['id', 'fields'] },
    }),
    tool({
      name: 'update_records',
      description:
        'Use this to change fields in up to ten records. Fields that are not given stay as they are.',
      input: z.object({
        baseId,
        table,
        records: z
          .array(z.object({ id: z.string().regex(/^rec\w{14}$/, 'must be a record id'), fields }))
          .min(1)
          .max(RECORDS_MAX),
        typecast,
      }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'PATCH',
        path: '/v0/{baseId}/{table}',
        json: { records: from('records'), typecast: from('typecast') },
      },
      answer: { at: 'records', pick: ['id', 'fields'] },
    }),
  ],
  receiver: airtableReceiver,
}

function eventsOf(payload: unknown, { baseId }: Readonly<Record<string, string>>): NormalizedEvent[] {
  const number = displayTextAt(payload, 'baseTransactionNumber') ?? displayTextAt(payload, 'timestamp')
  const user = (name: string) => displayTextAt(payload, `actionMetadata.sourceMetadata.user.${name}`)
  const eventOf = (
    kind: 'created' | 'changed' | 'deleted',
    table: string,
    record: string,
    cells: unknown,
  ) => {
    const eventKey = `airtable.record.${kind}` as const
    return normalizedEvent({
      eventKey,
      externalId: `${number}:${table}:${record}:${kind}`,
      actor: { id: user('id'), name: user('name') ?? user('email'), isBot: false },
      text: summary(EVENTS[eventKey], {
        table,
        record,
        ...Object.fromEntries(entries(cells).map(([field, value]) => [field, JSON.stringify(value)])),
      }),
      thread: record,
      resource: {
        type: 'record',
        id: record,
        url: baseId ? `https://airtable.com/${baseId}/${table}/${record}` : null,
      },
    })
  }
  return entries(valueAt(payload, 'changedTablesById')).flatMap(([table, changes]) => [
    ...entries(valueAt(changes, 'createdRecordsById')).map(([record, value]) =>
      eventOf('created', table, record, valueAt(value, 'cellValuesByFieldId')),
    ),
    ...entries(valueAt(changes, 'changedRecordsById')).map(([record, value]) =>
      eventOf('changed', table, record, valueAt(value, 'current.cellValuesByFieldId')),
    ),
    ...itemsAt(changes, 'destroyedRecordIds').map((record) => eventOf('deleted', table, String(record), {})),
  ])
}
