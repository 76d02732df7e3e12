import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { EVENT_EXPORT_MAX } from '../../../../contract/webhooks/event-log.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { csvLine } from '../../../database/csv.ts'
import { reply } from '../../../endpoint/route.ts'
import { newId } from '../../../security/ids.ts'
import { requireWebhook } from '../manage.ts'
import { nameEvents } from './event-names.ts'
import { type Filters, present, toIdRange } from './log.ts'
import { listEvents } from './log-queries.ts'

/** Payloads reach 256 KB each. */
const PAGE = 100

type Input = InputOf<typeof webhooks.exportEvents>

export async function exportEvents(ctx: Context, { format, webhookId, byteRequest, ...filters }: Input) {
  if (webhookId !== undefined) await requireWebhook(ctx, webhookId)
  const day = ctx.now().toISOString().slice(0, 10)
  const headers = {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="events-${day}.${format}"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  const details = Object.fromEntries(
    Object.entries({ format, webhookId, ...filters }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  await recordAudit(ctx, { action: 'events.exported', by: ctx.caller, details })
  const pages = pagesOf(ctx, webhookId ?? null, filters)
  const content = format === 'csv' ? asCsv(pages) : asLines(pages)
  return reply(null, { bytes: { content: Readable.from(content), headers } })
}

type ExportedEvent = Awaited<ReturnType<typeof readPage>>[number]

async function* pagesOf(
  ctx: Context,
  webhookId: string | null,
  filters: Filters,
): AsyncGenerator<ExportedEvent[]> {
  const range = toIdRange(filters, null)
  let before = range.before ?? newId()
  for (let remaining = EVENT_EXPORT_MAX; remaining > 0; remaining -= PAGE) {
    const page = await readPage(ctx, { ...range, webhookId, before, limit: Math.min(PAGE, remaining) })
    yield page
    if (page.length < PAGE) return
    before = page.at(-1)!.id
  }
}

async function readPage(ctx: Context, list: Parameters<typeof listEvents>[2]) {
  const rows = await listEvents(ctx.sql, ctx.caller.orgId, list)
  const namesOf = await nameEvents(ctx, rows)
  return rows.map((row) => ({ ...present(row), ...namesOf(row) }))
}

async function* asLines(pages: AsyncIterable<ExportedEvent[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((event) => `${JSON.stringify(event)}\n`).join('')
}

const COLUMNS: [name: string, value: (event: ExportedEvent) => string | null | undefined][] = [
  ['time', ({ receivedAt }) => receivedAt],
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['direction', ({ direction }) => direction],
  ['source', ({ source }) => source],
  ['status', ({ status }) => status],
  ['webhook', ({ webhookName }) => webhookName],
  ['external_id', ({ externalId }) => externalId],
  ['actor', ({ actor }) => actor?.name],
  ['subject', ({ subject }) => subject?.name],
  ['payload', ({ payload }) => JSON.stringify(payload)],
]

async function* asCsv(pages: AsyncIterable<ExportedEvent[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name))
  for await (const page of pages)
    yield page.map((event) => csvLine(COLUMNS.map(([, value]) => value(event)))).join('')
}
