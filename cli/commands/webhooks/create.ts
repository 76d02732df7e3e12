import { EVENT_TYPE_NAMES, PUBLISHED_EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import type { Surroundings } from '../../config.ts'
import { connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { plain, print, printData, tell } from '../../terminal.ts'
import { listAll } from './find.ts'
import { type PageOptions, showPage, waitFor } from './page.ts'

interface CreateOptions extends PageOptions {
  url?: string
  events?: string
  source?: string
  description?: string
}

/** Opens the form, filled in as far as it was said here, and waits until the webhook is there. */
export async function createWebhook(name: string | undefined, options: CreateOptions, around: Surroundings) {
  const connection = await connect(options.server, around)
  const { url, source, description } = options
  const events = eventsOf(options)
  const before = new Set((await listAll(connection)).map(({ id }) => id))
  const query = new URLSearchParams(
    Object.entries({ name, url, events, source, description }).flatMap(([field, value]) =>
      value ? [[field, value]] : [],
    ),
  )
  const path = `webhooks/new${query.size > 0 ? `?${query}` : ''}`
  const address = showPage(connection, { path, act: 'Create the webhook' }, options)
  if (options.wait === false) return options.json ? printData({ address }) : undefined

  const webhook = await waitFor(address, async () => {
    const added = (await listAll(connection)).filter(({ id }) => !before.has(id))
    return added.find((one) => name === undefined || one.name === name) ?? null
  })
  if (options.json) return printData({ address, webhook })
  print(`${webhook.id}  ${plain(webhook.name)}`)
  print(`receives at  ${plain(webhook.receiveUrl)}`)
  if (webhook.forwards) print(`forwards to  ${plain(webhook.url)}`)
  tell(`Try it: atrium webhooks listen ${webhook.id} --forward http://localhost:4000/hook`)
}

/** Said here rather than on the page, where it would have to be typed again. */
function eventsOf({ events, source = 'custom' }: CreateOptions): string | undefined {
  const given = events?.split(/[\s,]+/).filter(Boolean)
  const unknown = source === 'custom' ? given?.find((entry) => !isKnown(entry.toLowerCase())) : undefined
  if (unknown === undefined) return given?.join(',')
  throw new Failure(
    'usage',
    `${unknown} is no event type`,
    `They are ${PUBLISHED_EVENT_TYPES.join(', ')}; project.* takes all that begin so.`,
  )
}

const isKnown = (entry: string) =>
  entry === '*' ||
  EVENT_TYPE_NAMES.some((name) =>
    entry.endsWith('.*') ? name.startsWith(entry.slice(0, -1)) : name === entry,
  )
