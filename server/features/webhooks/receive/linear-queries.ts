import type { Sql } from '../../../database/database.ts'
import { type ReceiverRow, receiverColumns } from './receive-queries.ts'

/**
 * Each secret that is tried costs an HMAC of the body, 0.2 ms for the largest. One organization supplies only few of
 * them, so that it cannot displace the webhooks of others.
 */
const CANDIDATES_MAX = 20
const CANDIDATES_PER_ORGANIZATION_MAX = 5
/** An OAuth application receives the events of every account that installed it. */
const ACCOUNTS_PER_WEBHOOK_MAX = 1000

/** The webhooks of any organization that have received events of this account, in the order of their first event. */
export const listReceiversOfAccount = (sql: Sql, account: string) => sql<ReceiverRow[]>`
  select ${receiverColumns(sql)} from (
    select a.org_id, a.webhook_id, a.learned_at, row_number() over (partition by a.org_id order by a.learned_at) as rank
    from webhook_accounts a where a.account = ${account}
  ) a
  cross join lateral (select * from webhooks w where w.org_id = a.org_id and w.id = a.webhook_id offset 0) w
  where a.rank <= ${CANDIDATES_PER_ORGANIZATION_MAX} and w.source = 'linear' and w.status <> 'disabled'
  order by a.learned_at limit ${CANDIDATES_MAX}`

/**
 * Some of the other webhooks with this source, of any organization: first the webhooks that have received from no
 * account. If there are more than the limit, the choice is random, so that a repeated request eventually reaches its
 * webhook.
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

/** Stores the account of a webhook after an event of the account was verified with its secret. */
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

/** Deletes the accounts of a webhook whose secret changes: the new secret may belong to another account. */
export async function deleteAccounts(sql: Sql, orgId: string, webhookId: string): Promise<void> {
  await sql`delete from webhook_accounts where org_id = ${orgId} and webhook_id = ${webhookId}`
}
