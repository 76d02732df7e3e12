import { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { CalledNumber } from './callback.ts'

export interface CalledNumberRow extends CalledNumber {
  /** Changes with the credentials of its account; null while its connection cannot be used. */
  accountVersion: string | null
}

/** Read for every callback, so that a released number and a replaced auth token take effect at once. */
const columns = (sql: Sql): Fragment => sql`
  n.org_id as "orgId", n.id, n.e164, n.provider, n.connection_id as "connectionId", n.account_id as "accountId",
  n.project_id as "projectId", n.owner_id as "ownerId", n.settings,
  case
    when n.connection_id is null then n.version::text
    when c.status = 'active' then n.version || ' ' || c.generation
  end as "accountVersion"`

const rows = (sql: Sql): Fragment => sql`
  phone_numbers n left join connections c
    on c.org_id = n.org_id and c.id = n.connection_id and c.deleted_at is null`

/** By the id in its URL, which is all that some callbacks have: this lookup finds the tenant. */
export async function findCalledById(sql: Sql, id: string): Promise<CalledNumberRow | null> {
  const [row] = await sql<CalledNumberRow[]>`
    select ${columns(sql)} from ${rows(sql)} where n.id = ${id} and n.released_at is null`
  return row ? withSettings(row) : null
}

/** By the account and the number that a form names; the first number that is found counts. */
export async function findCalledByNumber(
  sql: Sql,
  accountId: string,
  numbers: readonly string[],
): Promise<CalledNumberRow | null> {
  const [row] = await sql<CalledNumberRow[]>`
    select ${columns(sql)} from ${rows(sql)}
    where n.e164 = any(${numbers as string[]}) and n.account_id = ${accountId} and n.released_at is null
    order by array_position(${numbers as string[]}, n.e164) limit 1`
  return row ? withSettings(row) : null
}

const withSettings = (row: CalledNumberRow): CalledNumberRow => ({
  ...row,
  settings: NumberSettings.parse(row.settings),
})
