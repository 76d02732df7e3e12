import { EVENT_TYPE_NAMES } from '../../../contract/webhooks/event-types.ts'
import { type SchemeName, schemeOfSource } from '../../../contract/webhooks/signature-schemes.ts'
import type { Context } from '../../context.ts'
import { badField } from '../../errors.ts'

/** Subscribes to platform events. Other sources define their own event types. */
export const PLATFORM_SOURCE = 'custom'

/** Rejects unknown platform event types. */
export function normalizeEvents(events: readonly string[], source: string): string[] {
  const entries = events.map((entry) => entry.trim().toLowerCase())
  const unknown = source === PLATFORM_SOURCE ? entries.findIndex((entry) => !isEventType(entry)) : -1
  if (unknown >= 0) {
    throw badField(
      `body.events.${unknown}`,
      `is not an event type: ${JSON.stringify(events[unknown])}; see GET /api/v1/webhooks/event-types`,
    )
  }
  return [...new Set(entries)].sort()
}

function isEventType(entry: string): boolean {
  if (entry === '*') return true
  if (!entry.endsWith('.*')) return EVENT_TYPE_NAMES.some((name) => name === entry)
  const prefix = entry.slice(0, -1)
  return prefix !== '.' && EVENT_TYPE_NAMES.some((name) => name.startsWith(prefix))
}

/** A known source dictates the scheme. */
export function schemeFor(
  source: string,
  requested: SchemeName | undefined,
  fallback: SchemeName,
): SchemeName {
  const sourceScheme = schemeOfSource(source)
  if (sourceScheme === null) return requested ?? fallback
  if (requested !== undefined && requested !== sourceScheme) {
    throw badField('body.scheme', `must be ${sourceScheme} for the source ${source}`)
  }
  return sourceScheme
}

interface Settings {
  source: string
  scheme: SchemeName
}

/** A new source determines the scheme. Otherwise a webhook older than its source's scheme keeps its own. */
export function schemeAfter(before: Settings, change: Partial<Settings>): SchemeName {
  const source = change.source ?? before.source
  const isSameSource = source.toLowerCase() === before.source.toLowerCase()
  if (isSameSource && (change.scheme ?? before.scheme) === before.scheme) return before.scheme
  const isSchemeOfSource = schemeOfSource(before.source) === before.scheme
  return schemeFor(source, change.scheme, isSchemeOfSource ? 'auto' : before.scheme)
}

const RECEIVE_PATH = /^\/api\/v1\/webhooks\/(receive\/[^/]+|linear)\/?$/

/** Null for none, or for this server's receive URL, which would form a cycle. */
export async function validateForwardUrl(
  { origin, outbound }: Pick<Context<'outbound'>, 'origin' | 'outbound'>,
  url: string | null | undefined,
): Promise<string | null> {
  if (!url || isReceiveUrl(url, origin.baseUrl)) return null
  const problem = await outbound.checkUrl(url)
  if (problem) throw badField('body.url', problem)
  return new URL(url).href
}

function isReceiveUrl(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { host, pathname } = new URL(url)
  return host === new URL(baseUrl).host && RECEIVE_PATH.test(pathname)
}
