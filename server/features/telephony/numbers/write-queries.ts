import type { Sql } from '../../../database/database.ts'
import type { NumberUrls } from '../carrier/carrier.ts'
import type { NumberRow } from './number-row.ts'

/**
 * Serializes the imports of an organization until the end of the transaction. Returns the number of its phone numbers.
 */
export async function lockNumbers(sql: Sql, orgId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`phone numbers ${orgId}`}, 0))`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from phone_numbers where org_id = ${orgId} and released_at is null`
  return row!.count
}

type NewNumber = Pick<
  NumberRow,
  | 'id'
  | 'e164'
  | 'provider'
  | 'providerId'
  | 'accountId'
  | 'connectionId'
  | 'label'
  | 'capabilities'
  | 'configuresUrls'
  | 'projectId'
  | 'ownerId'
> & { now: Date }

/** False if another organization uses the number. */
export async function insertNumber(sql: Sql, orgId: string, number: NewNumber): Promise<boolean> {
  const rows = await sql`
    insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, connection_id, label, capabilities,
      configures_urls, project_id, owner_id, created_at, updated_at)
    values (${orgId}, ${number.id}, ${number.e164}, ${number.provider}, ${number.providerId}, ${number.accountId},
      ${number.connectionId}, ${number.label}, ${sql.json(number.capabilities)}, ${number.configuresUrls},
      ${number.projectId}, ${number.ownerId}, ${number.now}, ${number.now})
    on conflict (e164) where released_at is null do nothing
    returning id`
  return rows.length > 0
}

/** Assigns another account to a number, which then belongs to the member who chose the account. */
export const updateAccount = (
  sql: Sql,
  orgId: string,
  id: string,
  account: Pick<NewNumber, 'connectionId' | 'accountId' | 'providerId' | 'ownerId' | 'now'>,
) => sql`
  update phone_numbers set connection_id = ${account.connectionId}, account_id = ${account.accountId},
    provider_id = ${account.providerId}, owner_id = ${account.ownerId}, version = version + 1,
    updated_at = ${account.now}
  where org_id = ${orgId} and id = ${id} and released_at is null`

interface NumberCheck {
  providerId: string
  accountId: string
  capabilities: NumberRow['capabilities']
  urls: NumberUrls
  configuresUrls: boolean
  problem: string | null
  now: Date
}

/** Stores the report of the carrier about a number. */
export const updateChecked = (sql: Sql, orgId: string, id: string, checked: NumberCheck) => sql`
  update phone_numbers set provider_id = ${checked.providerId}, account_id = ${checked.accountId},
    capabilities = ${sql.json(checked.capabilities)}, urls = ${sql.json(checked.urls as never)},
    configures_urls = ${checked.configuresUrls}, status = ${checked.problem === null ? 'active' : 'error'},
    status_reason = ${checked.problem}, checked_at = ${checked.now},
    version = version + (account_id <> ${checked.accountId})::int
  where org_id = ${orgId} and id = ${id} and released_at is null`

/** Stores why a number cannot be used, regardless of its URLs. */
export const updateProblem = (sql: Sql, orgId: string, id: string, problem: string, now: Date) => sql`
  update phone_numbers set status = 'error', status_reason = ${problem}, checked_at = ${now}
  where org_id = ${orgId} and id = ${id} and released_at is null`

/** Marks the numbers of a connection that can no longer be used. */
export const updateProblemOf = (
  sql: Sql,
  orgId: string,
  connectionId: string,
  problem: string,
  now: Date,
) => sql`
  update phone_numbers set status = 'error', status_reason = ${problem}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and connection_id = ${connectionId} and released_at is null`

interface Change {
  label: string | null
  projectId: string
  settings: Record<string, unknown>
  now: Date
}

export const updateNumber = (
  sql: Sql,
  orgId: string,
  id: string,
  { label, projectId, settings, now }: Change,
) => sql`
  update phone_numbers set label = ${label}, project_id = ${projectId}, settings = settings || ${sql.json(settings as never)},
    version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and released_at is null
  returning id`

/** False if the number was released before. */
export async function updateReleased(sql: Sql, orgId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update phone_numbers set status = 'released', status_reason = null, released_at = ${now}, version = version + 1,
      updated_at = ${now}
    where org_id = ${orgId} and id = ${id} and released_at is null
    returning id`
  return rows.length > 0
}
