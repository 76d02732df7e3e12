import { EVENT_TYPE_NAMES, PUBLISHED_EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import { DEDUP_SECONDS_MAX } from '../../../contract/webhooks/repetitions.ts'
import { SCHEME_NAMES, schemeOfSource } from '../../../contract/webhooks/signature-schemes.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { print, printData, printMessage, sanitize } from '../../terminal.ts'
import { listAll, requireAdmin } from './find.ts'

interface CreateOptions extends PageOptions {
  url?: string
  events?: string
  source?: string
  scheme?: string
  description?: string
  dedupWindow?: string
}

export async function createWebhook(
  name: string | undefined,
  options: CreateOptions,
  environment: CliEnvironment,
) {
  const connection = await connect(options.server, environment)
  await requireAdmin(connection)
  const { url, source, description } = options
  const scheme = schemeOf(options)
  const events = eventsOf(options)
  const dedupWindowSeconds = dedupWindowOf(options)
  const existingIds = new Set((await listAll(connection)).map(({ id }) => id))
  const query = new URLSearchParams(
    Object.entries({ name, url, events, source, scheme, dedupWindowSeconds, description }).flatMap(
      ([field, value]) => (value ? [[field, value]] : []),
    ),
  )
  const path = `webhooks/new${query.size > 0 ? `?${query}` : ''}`
  const pageUrl = openPage(connection, { path, action: 'Create the webhook' }, options)
  if (!shouldWait(options)) return options.json ? printData({ address: pageUrl }) : undefined

  const webhook = await pollFor(pageUrl, async () => {
    const added = (await listAll(connection)).filter(({ id }) => !existingIds.has(id))
    return added.find((webhook) => name === undefined || webhook.name === name) ?? null
  })
  if (options.json) return printData({ address: pageUrl, webhook })
  print(`${webhook.id}  ${sanitize(webhook.name)}`)
  print(`receiving URL   ${sanitize(webhook.receiveUrl)}`)
  if (webhook.forwards) print(`forwarding URL  ${sanitize(webhook.url)}`)
  printMessage(`Try it: npx atrium webhooks listen ${webhook.id} --forward http://localhost:4000/hook`)
}

/** Validates event types here, so the form opens with valid values. */
function eventsOf({ events, source = 'custom' }: CreateOptions): string | undefined {
  const entries = events?.split(/[\s,]+/).filter(Boolean)
  const unknownType =
    source === 'custom' ? entries?.find((entry) => !isEventType(entry.toLowerCase())) : undefined
  if (unknownType === undefined) return entries?.join(',')
  throw new Failure(
    'usage',
    `Unknown event type ${unknownType}`,
    `Event types: ${PUBLISHED_EVENT_TYPES.join(', ')}; project.* matches all with that prefix.`,
  )
}

function schemeOf({ scheme, source = 'custom' }: CreateOptions): string | undefined {
  const sourceScheme = schemeOfSource(source)
  const allowed: readonly string[] = sourceScheme === null ? SCHEME_NAMES : [sourceScheme]
  if (scheme === undefined || allowed.includes(scheme)) return scheme
  throw new Failure(
    'usage',
    sourceScheme === null
      ? `--scheme must be one of ${SCHEME_NAMES.join(', ')}`
      : `--scheme must be ${sourceScheme} for the source ${source}`,
  )
}

function dedupWindowOf({ dedupWindow, source = 'custom' }: CreateOptions): string | undefined {
  if (dedupWindow === undefined) return undefined
  if (!/^\d{1,6}$/.test(dedupWindow) || Number(dedupWindow) > DEDUP_SECONDS_MAX)
    throw new Failure('usage', `--dedup-window must be 0 to ${DEDUP_SECONDS_MAX} seconds`)
  if (schemeOfSource(source) !== null)
    throw new Failure('usage', `--dedup-window does not apply to the source ${source}: it is always 7 days`)
  return dedupWindow
}

const isEventType = (entry: string) =>
  entry === '*' ||
  EVENT_TYPE_NAMES.some((name) =>
    entry.endsWith('.*') ? name.startsWith(entry.slice(0, -1)) : name === entry,
  )
