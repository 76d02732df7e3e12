import { REPETITION_TIMES_MAX } from '../../../../contract/webhooks/repetitions.ts'
import type { PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notifyEvent } from '../../../events/publish.ts'
import { insertIntoLog } from '../../../inbound/event-log.ts'
import type { Receiver } from '../../../inbound/receiver.ts'
import { createReceiverCache } from '../../../inbound/receiver.ts'
import { type InboundEvent, type StoredEvent, storeEvents } from '../../../inbound/store-event.ts'
import type { Secret } from '../../../signatures/scheme.ts'
import { acceptedSchemes } from '../../../signatures/signature-schemes.ts'
import { isGracePeriod, openHashedSecrets, type SealedSecrets } from '../secrets.ts'

export interface WebhookReceiver extends Receiver {
  dedupWindowSeconds: number
}

export type WebhookReceivers = ReturnType<typeof createWebhookReceivers>

export function createWebhookReceivers() {
  const cache = createReceiverCache(async (ctx, id) => {
    const row = await findReceiver(ctx.sql, id)
    return row && receiverOf(ctx, row)
  })
  return {
    find: (ctx: PublicContext<'outbound' | 'vault'>, id: string, options: { fresh: boolean }) =>
      cache.find(ctx, id, options),
    listOfAccount: async (ctx: PublicContext<'vault'>, account: string): Promise<WebhookReceiver[]> =>
      (await listReceiversOfAccount(ctx.sql, account)).map((row) => receiverOf(ctx, row)),
    listOfOtherAccounts: async (
      ctx: PublicContext<'vault'>,
      account: string | null,
    ): Promise<WebhookReceiver[]> =>
      (await listReceiversOfOtherAccounts(ctx.sql, account)).map((row) => receiverOf(ctx, row)),
  }
}

function receiverOf({ vault }: PublicContext<'vault'>, row: ReceiverRow): WebhookReceiver {
  const { orgId, id, source, version, dedupWindowSeconds } = row
  let opened: readonly Secret[] | undefined
  return {
    orgId,
    id,
    source,
    version,
    dedupWindowSeconds,
    isDisabled: row.status === 'disabled',
    schemes: acceptedSchemes(row.scheme),
    // Decrypting secrets per request would cost more than verifying it.
    secrets(now) {
      opened ??= openHashedSecrets(vault, row, now)
      return isGracePeriod(row, now) ? opened : opened.slice(0, 1)
    },
  }
}

interface ReceiverRow extends SealedSecrets {
  secretHash: Uint8Array
  previousSecretHash: Uint8Array | null
  orgId: string
  source: string
  scheme: string
  status: 'active' | 'paused' | 'disabled'
  version: number
  dedupWindowSeconds: number
}

const receiverColumns = (sql: Sql) => sql`
  w.org_id as "orgId", w.id, w.source, w.scheme, w.status, w.version, w.dedup_window_seconds as "dedupWindowSeconds",
  w.secret_sealed as "secretSealed",
  w.secret_hash as "secretHash", w.previous_secret_sealed as "previousSecretSealed",
  w.previous_secret_hash as "previousSecretHash", w.previous_secret_until as "previousSecretUntil"`

/** Also finds the tenant: senders send no other id. Outgoing webhooks have no URL. */
export async function findReceiver(sql: Sql, id: string) {
  const [row] = await sql<
    ReceiverRow[]
  >`select ${receiverColumns(sql)} from webhooks w where w.id = ${id} and w.receives`
  return row ?? null
}

export async function findOrgReceiver(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ReceiverRow[]>`
    select ${receiverColumns(sql)} from webhooks w where w.org_id = ${orgId} and w.id = ${id}`
  return row ?? null
}

const DEDUPLICATION_DAYS = 7

/** With a delivery where the webhook forwards. Null where its version has changed. */
export const insertReceived = (
  sql: Sql,
  orgId: string,
  events: InboundEvent[],
): Promise<(StoredEvent | null)[]> =>
  storeEvents(sql, orgId, events, {
    receiver: sql`
      select * from webhooks w where w.org_id = ${orgId} and w.id = i.receiver_id and w.version = i.version for key share`,
    columns: sql`w.org_id, w.id, w.source, w.url, w.paused_reason, case when not event_matches(w.events, i.type) then 'filtered'
      when w.status = 'paused' and w.paused_reason is distinct from 'backlog' then 'held' else 'received' end as verdict`,
    seen: { table: 'webhook_seen', receiver: 'webhook_id', days: DEDUPLICATION_DAYS },
    insert: insertIntoLog(sql),
    effects: sql`, delivery as (
      insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at,
        trigger, created_at)
      select e.org_id, new_id(r.now), e.id, r.type, 'inbound', r.id, r.url,
        case e.status when 'held' then 'held' else 'pending' end, case e.status when 'received' then r.now end, 'scheduled',
        r.now
      from event e join receiver r on r.event_id = e.id where r.url is not null and e.status <> 'filtered'
        and r.paused_reason is distinct from 'backlog'
      returning status
    ), repetition as (
      insert into event_repetitions as p (org_id, event_id, count, times)
      select r.org_id, seen.event_id, 1, array[r.now]
      from receiver r join seen on seen.receiver_id = r.id and seen.external_id = r.key
      where seen.event_id <> r.event_id order by seen.event_id
      on conflict (org_id, event_id) do update set count = p.count + 1,
        times = (p.times || excluded.times)[greatest(cardinality(p.times) + 2 - ${REPETITION_TIMES_MAX}::int, 1):]
    )`,
    statusBefore: sql`(select first.status from events first where first.org_id = ${orgId} and first.id = seen.event_id)`,
    isWorkDue: sql`exists (select from delivery where status = 'pending')`,
    announce: (isWorkDue) => notifyEvent(sql, orgId, { hasDeliveries: isWorkDue }),
  })

/**
 * Each candidate costs an HMAC over the body, 0.2 ms for the largest. The second limit keeps one organization from
 * displacing others.
 */
const CANDIDATES_MAX = 20
const CANDIDATES_PER_ORGANIZATION_MAX = 5
/** An OAuth application receives events from every account that installed it. */
const ACCOUNTS_PER_WEBHOOK_MAX = 1000

export const listReceiversOfAccount = (sql: Sql, account: string) => sql<ReceiverRow[]>`
  select ${receiverColumns(sql)} from (
    select a.org_id, a.webhook_id, a.learned_at, row_number() over (partition by a.org_id order by a.learned_at) as rank
    from webhook_accounts a where a.account = ${account}
  ) a
  cross join lateral (select * from webhooks w where w.org_id = a.org_id and w.id = a.webhook_id offset 0) w
  where a.rank <= ${CANDIDATES_PER_ORGANIZATION_MAX} and w.source = 'linear' and w.status <> 'disabled'
  order by a.learned_at limit ${CANDIDATES_MAX}`

/**
 * In any organization, webhooks without a known account first. Random beyond the limit, so a repeated request
 * eventually reaches its webhook.
 */
export const listReceiversOfOtherAccounts = (sql: Sql, account: string | null) => sql<ReceiverRow[]>`
  with others as materialized (
    select org_id, id from (
      select w.org_id, w.id, row_number() over (partition by w.org_id order by random()) as rank,
        exists (select from webhook_accounts a where a.org_id = w.org_id and a.webhook_id = w.id) as is_known
      from webhooks w where w.source = 'linear' and w.status <> 'disabled' and not exists (
        select from webhook_accounts a where a.org_id = w.org_id and a.webhook_id = w.id and a.account = ${account})
    ) w
    where w.rank <= ${CANDIDATES_PER_ORGANIZATION_MAX} order by w.is_known, random() limit ${CANDIDATES_MAX}
  )
  select ${receiverColumns(sql)} from others o
  cross join lateral (select * from webhooks w where w.org_id = o.org_id and w.id = o.id offset 0) w`

/** Call only after its secret verified an event from the account. */
export async function insertAccount(
  sql: Sql,
  orgId: string,
  webhookId: string,
  { account, now }: { account: string; now: Date },
): Promise<void> {
  await sql`
    insert into webhook_accounts (org_id, webhook_id, account, learned_at)
    select w.org_id, w.id, ${account}, ${now} from webhooks w
    where w.org_id = ${orgId} and w.id = ${webhookId} and (
      select count(*) from webhook_accounts a where a.org_id = w.org_id and a.webhook_id = w.id
    ) < ${ACCOUNTS_PER_WEBHOOK_MAX}
    on conflict do nothing`
}

/** Called when the secret changes: the new one may belong to another account. */
export async function deleteAccounts(sql: Sql, orgId: string, webhookId: string): Promise<void> {
  await sql`delete from webhook_accounts where org_id = ${orgId} and webhook_id = ${webhookId}`
}
