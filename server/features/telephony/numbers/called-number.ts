import { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { PublicContext } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'

export interface CallbackNumber {
  orgId: string
  id: string
  e164: string
  provider: 'twilio'
  connectionId: string | null
  accountId: string
  projectId: string
  ownerId: string
  settings: NumberSettings
}

/** Null: respond with 204. */
export type CarrierReply = { twiml: string } | null

/** The signature is verified. Look up any call or message that the callback names in `number.orgId` only. */
export type HandleCallback<N extends CallbackNumber = CallbackNumber> = (
  ctx: PublicContext<'quotas' | 'vault'>,
  number: N,
  callback: CarrierCallback,
) => Promise<CarrierReply>

export interface CalledNumberRow extends CallbackNumber {
  /** Changes with the account's credentials. Null while the connection can't be used. */
  accountVersion: string | null
}

/** Read for every callback, so a released number or replaced auth token takes effect immediately. */
const columns = (sql: Sql): Fragment => sql`
  called.org_id as "orgId", called.id, called.e164, called.provider, called.connection_id as "connectionId",
  called.account_id as "accountId", called.project_id as "projectId", called.owner_id as "ownerId", called.settings,
  case
    when called.connection_id is null then called.version::text
    when c.status = 'active' then called.version || ' ' || c.generation
  end as "accountVersion"`

const rows = (sql: Sql): Fragment => sql`
  phone_numbers called left join connections c
    on c.org_id = called.org_id and c.id = called.connection_id and c.deleted_at is null`

/** Some callbacks have no other field than the URL's id. The lookup finds the tenant. */
export async function findCallbackNumberById<T = unknown>(
  sql: Sql,
  id: string,
  extraColumns: Fragment = sql``,
): Promise<(CalledNumberRow & T) | null> {
  const [row] = await sql<(CalledNumberRow & T)[]>`
    select ${columns(sql)} ${extraColumns} from ${rows(sql)} where called.id = ${id} and called.released_at is null`
  return row ? withSettings(row) : null
}

/** The first match counts. */
export async function findCalledByNumber<T = unknown>(
  sql: Sql,
  accountId: string,
  numbers: readonly string[],
  extraColumns: Fragment = sql``,
): Promise<(CalledNumberRow & T) | null> {
  const [row] = await sql<(CalledNumberRow & T)[]>`
    select ${columns(sql)} ${extraColumns} from ${rows(sql)}
    where called.e164 = any(${numbers as string[]}) and called.account_id = ${accountId} and called.released_at is null
    order by array_position(${numbers as string[]}, called.e164) limit 1`
  return row ? withSettings(row) : null
}

const withSettings = <R extends CalledNumberRow>(row: R): R => ({
  ...row,
  settings: NumberSettings.parse(row.settings),
})
