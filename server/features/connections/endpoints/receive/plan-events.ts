import { sanitizeJson } from '../../../../inbound/sanitize.ts'
import { sha256 } from '../../../../security/digest.ts'
import { type NormalizedEvent, plainText, valueAt } from '../../connectors/connectors.ts'
import { matchesFilter } from '../filter.ts'
import type { EndpointReceiver } from './receivers.ts'

const TEXT_MAX = 32_000
const ID_MAX = 255
const KEY_MAX = 120

export interface PlannedEvent {
  eventKey: string
  externalId: string
  status: 'pending' | 'ignored'
  reason: string | null
  /** Null if nothing handles the event. */
  thread: string | null
  record: NormalizedEvent
}

type Settings = Pick<
  EndpointReceiver,
  'source' | 'receiver' | 'events' | 'sessionKey' | 'filter' | 'account' | 'kept'
>

/** Fetched events are decided once complete. */
export function planEvent(endpoint: Settings, event: NormalizedEvent): PlannedEvent {
  const record = toStorable(event)
  const needsFetch = Boolean(endpoint.receiver.fetch?.request(record, endpoint.kept))
  const reason = needsFetch ? null : ignoreReasonOf(endpoint, record)
  return {
    eventKey: record.eventKey,
    externalId: record.externalId,
    status: reason === null ? 'pending' : 'ignored',
    reason,
    thread: reason === null ? threadKey(endpoint, record) : null,
    record,
  }
}

function ignoreReasonOf(
  { source, receiver, events, filter, account }: Settings,
  record: NormalizedEvent,
): string | null {
  if (events.length > 0 && !events.includes(record.eventKey)) return 'not_selected'
  if (!receiver.marksReplies && account.id !== null && record.actor.id === account.id) return 'own_message'
  if (record.actor.isBot) return 'bot'
  return filter && !matchesFilter(filter, source, record) ? 'filtered' : null
}

const PLACEHOLDER = /\{([A-Za-z][\w.]*)\}/g

/** Hashes long keys: cutting could merge two threads. */
export function threadKey(
  { source, sessionKey }: Pick<Settings, 'source' | 'sessionKey'>,
  event: NormalizedEvent,
): string {
  const scope = { provider: source, ...event }
  const key = sessionKey.replace(PLACEHOLDER, (_, path: string) => plainText(valueAt(scope, path) ?? '-'))
  return key.length <= ID_MAX ? key : `${key.slice(0, 80).toWellFormed()}#${sha256(key).toString('hex')}`
}

/** Also removes characters PostgreSQL can't store. */
function toStorable(event: NormalizedEvent): NormalizedEvent {
  const clean = sanitizeJson(event) as NormalizedEvent
  return {
    ...clean,
    eventKey: clean.eventKey.slice(0, KEY_MAX),
    externalId: hashIfLong(clean.externalId),
    targetId: clean.targetId === null ? null : hashIfLong(clean.targetId),
    text: clean.text === null ? null : clean.text.slice(0, TEXT_MAX).toWellFormed(),
  }
}

const hashIfLong = (id: string) => (id.length > ID_MAX ? sha256(id).toString('hex') : id)
