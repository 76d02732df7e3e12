import { createBatches } from '../concurrency/batches.ts'
import { leaveTurn } from '../concurrency/turns.ts'
import type { Fragment, Pool, Sql } from '../database/database.ts'
import { forOrganization, sharedPool } from '../database/fair-pool.ts'
import { isCausedByData } from '../database/pg-errors.ts'
import { countEventCte } from '../metering/usage-queries.ts'
import { sha256 } from '../security/digest.ts'
import type { SignatureScheme } from '../signatures/scheme.ts'
import type { Receiver } from './receiver.ts'

interface Verification {
  scheme: string | null
  result: 'valid' | 'invalid' | 'none'
  reason: string | null
}

export interface InboundEvent {
  id: string
  receiver: Pick<Receiver, 'id' | 'version'>
  type: string
  externalId: string
  /** Unique per receiver: a repeat is a duplicate. */
  deduplicationKey: string
  /** Defaults to `seen.days`. */
  deduplicationSeconds?: number
  verification: Verification
  body: Buffer
  headers: Record<string, string>
  details?: unknown
  trace?: string | null
  now: Date
}

interface EventStore {
  /**
   * `org_id`, `id`, `source`, the `verdict` that becomes the event's status, and those `effects` reads. Part of `select
   * … from input i join lateral (the receiver) w`.
   */
  columns: Fragment
  /** Requires version `i.version`, and locks against deletion. */
  receiver: Fragment
  /** Received ids. `receiver` is the receiver id column. */
  seen: {
    table: string
    receiver: string
    days: number
    /** `, column = …`: changes a repeated id makes to row `s`. */
    onRepeat?: (isExpired: Fragment) => Fragment
  }
  /**
   * `event as (…)`: inserts from `receiver r join seen on seen.event_id = r.event_id`, and returns `org_id`, `id` and
   * `status`.
   */
  insert: Fragment
  /** `, name as (…)`: reads `receiver`, `seen` and `event`, joined by `event_id`. */
  effects: Fragment
  /** Status of the earlier event that `seen` names. */
  statusBefore: Fragment
  isWorkDue: Fragment
  announce: (isWorkDue: boolean) => void
}

export interface StoredEvent {
  eventId: string
  status: 'received' | 'filtered' | 'held'
  isDuplicate: boolean
}

interface StoredRow {
  id: string
  eventId: string
  status: string
  isWorkDue: boolean
}

/**
 * In one statement. Concurrent duplicates are stored once, but `events` must not contain both. Null if the receiver's
 * version has changed since verification. Ordered ids prevent deadlocks.
 */
export async function storeEvents(
  sql: Sql,
  orgId: string,
  events: InboundEvent[],
  { columns, receiver, seen, insert, effects, statusBefore, isWorkDue, announce }: EventStore,
): Promise<(StoredEvent | null)[]> {
  const receiverColumn = sql(seen.receiver)
  const window = sql`coalesce((
    select make_interval(secs => r.window_seconds) from receiver r
    where r.id = excluded.${receiverColumn} and r.key = excluded.external_id), make_interval(days => ${seen.days}::int))`
  const expired = sql`s.seen_at < excluded.seen_at - ${window}`
  const rows = await sql<StoredRow[]>`
    with input as (
      select * from jsonb_to_recordset(${sql.json(events.map(rowOf) as never)}) as i (event_id uuid, receiver_id uuid,
        version int, type text, external_id text, key text, window_seconds int, verification jsonb, body text, headers jsonb, details jsonb, trace text, now timestamptz)
    ), receiver as (
      select i.*, ${columns} from input i cross join lateral (${receiver}) w where w.org_id = ${orgId}
    ), seen as (
      insert into ${sql(seen.table)} as s (org_id, ${receiverColumn}, external_id, event_id, seen_at)
      select r.org_id, r.id, r.key, r.event_id, r.now from receiver r order by r.id, r.key
      on conflict (org_id, ${receiverColumn}, external_id) do update set
        event_id = case when ${expired} then excluded.event_id else s.event_id end,
        seen_at = case when ${expired} then excluded.seen_at else s.seen_at end
        ${seen.onRepeat?.(expired) ?? sql``}
      returning ${receiverColumn} as receiver_id, external_id, event_id
    ), ${insert}, ${countEventCte(sql)} ${effects}
    select r.event_id as id, seen.event_id as "eventId", coalesce(event.status, ${statusBefore}, 'received') as status,
      ${isWorkDue} as "isWorkDue"
    from receiver r join seen on seen.receiver_id = r.id and seen.external_id = r.key
    left join event on event.id = r.event_id`
  const rowById = new Map(rows.map((row) => [row.id, row]))
  const newRows = rows.filter(({ id, eventId }) => id === eventId)
  if (newRows.length > 0) announce(newRows[0]!.isWorkDue)
  return events.map(({ id }) => resultOf(rowById.get(id)))
}

const rowOf = ({
  id,
  receiver,
  externalId,
  deduplicationKey,
  deduplicationSeconds,
  body,
  ...event
}: InboundEvent) => ({
  ...event,
  event_id: id,
  receiver_id: receiver.id,
  version: receiver.version,
  external_id: externalId,
  key: deduplicationKey,
  window_seconds: deduplicationSeconds,
  body: body.toString('base64'),
})

function resultOf(row: StoredRow | undefined): StoredEvent | null {
  if (!row) return null
  const { id, eventId } = row
  const status = row.status === 'filtered' || row.status === 'held' ? row.status : 'received'
  return { eventId, status, isDuplicate: eventId !== id }
}

export interface Refusal {
  verification: Verification
  headers: Record<string, string>
  now: Date
}

const LIMITS = {
  // One at a time, so events become visible in arrival order.
  running: 1,
  items: 64,
  bytes: 1_048_576,
  waitingItems: 2000,
  waitingBytes: 67_108_864,
  waitMs: 10_000,
}

interface Item {
  key: string
  bytes: number
  event: InboundEvent
}

type Insert = (sql: Sql, orgId: string, events: InboundEvent[]) => Promise<(StoredEvent | null)[]>

/**
 * Under load, batching halves CPU time per event. Uses the organization's connections: others share the sender's IP
 * address.
 */
export function createBatchedStore(insert: Insert) {
  const batchesByPool = new WeakMap<Pool, ReturnType<typeof batchesOn>>()
  const batchesOn = (pool: Pool) =>
    createBatches<Item, StoredEvent | null>({
      name: 'events',
      ...LIMITS,
      run: (orgId, items) =>
        insert(
          forOrganization(pool, orgId),
          orgId,
          items.map(({ event }) => event),
        ),
      isCausedByItem: isCausedByData,
    })

  return (sql: Sql, orgId: string, event: InboundEvent): Promise<StoredEvent | null> => {
    const pool = sharedPool(sql as Pool)
    const batches = batchesByPool.get(pool) ?? batchesOn(pool)
    batchesByPool.set(pool, batches)
    const key = `${event.receiver.id} ${event.deduplicationKey}`
    // Waiting handlers must not hold back the next ones, which belong in the batch.
    leaveTurn()
    return batches.add(orgId, { key, bytes: event.body.length, event })
  }
}

/**
 * Linear signs each retry with the current time in the body, so the digest omits that field. Quotes inside JSON strings
 * are escaped, so the pattern matches only keys.
 */
export function contentDigest(body: Buffer, scheme: SignatureScheme | null): string {
  const from = scheme && 'format' in scheme ? scheme.timestamp?.from : undefined
  if (!from || !('body' in from)) return sha256(body).toString('hex')
  const timestamp = new RegExp(`("${from.body}"\\s*:\\s*)\\d+`, 'g')
  return sha256(body.toString('latin1').replace(timestamp, '$1')).toString('hex')
}
