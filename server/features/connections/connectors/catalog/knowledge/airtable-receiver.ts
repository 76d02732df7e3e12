import { AIRTABLE } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { valueAt } from '../../requests/template.ts'
import { displayTextAt, summary } from '../summary.ts'

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
  // A notification reports only that there are new payloads.
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
        hint: 'The part of the URL of the base that starts with app.',
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
