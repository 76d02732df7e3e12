import type { z } from 'zod'
import type { PhoneNumber } from '../../../../contract/telephony/telephony-records.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible, projectById } from '../../projects/access/access.ts'
import type { NumberUrls } from '../carrier/carrier.ts'

type NumberRecord = z.output<typeof PhoneNumber>

export interface NumberRow {
  orgId: string
  id: string
  e164: string
  provider: 'twilio'
  providerId: string
  accountId: string
  connectionId: string | null
  label: string | null
  capabilities: NumberRecord['capabilities']
  status: NumberRecord['status']
  statusReason: string | null
  /** As last read from the carrier. */
  urls: Partial<NumberUrls>
  /** Otherwise a member sets them, or the number is outbound only. */
  configuresUrls: boolean
  projectId: string
  ownerId: string
  settings: unknown
  checkedAt: string | null
  createdAt: string
}

const numberColumns = (sql: Sql): Fragment => sql`
  n.org_id as "orgId", n.id, n.e164, n.provider, n.provider_id as "providerId", n.account_id as "accountId",
  n.connection_id as "connectionId", n.label, n.capabilities, n.status, n.status_reason as "statusReason", n.urls,
  n.configures_urls as "configuresUrls", n.project_id as "projectId", n.owner_id as "ownerId", n.settings,
  n.checked_at as "checkedAt", n.created_at as "createdAt"`

export interface NumberView extends NumberRow {
  ownerName: string
  /** Null for callers who don't see the project. */
  projectName: string | null
}

const viewColumns = (sql: Sql, caller: Caller): Fragment => sql`
  ${numberColumns(sql)}, (select u.name from users u where u.id = n.owner_id) as "ownerName",
  case when ${isProjectVisible(sql, caller, sql`n.project_id`)} then (
    select p.name from ${projectById(sql, caller.orgId, sql`n.project_id`)} p) end as "projectName"`

const isShown = (sql: Sql, caller: Caller): Fragment =>
  caller.role === 'member' ? isProjectVisible(sql, caller, sql`n.project_id`) : sql`true`

/** Includes released numbers, which calls and messages still reference. */
export async function findNumberView(sql: Sql, caller: Caller, id: string): Promise<NumberView | null> {
  const [row] = await sql<NumberView[]>`
    select ${viewColumns(sql, caller)} from phone_numbers n
    where n.org_id = ${caller.orgId} and n.id = ${id} and ${isShown(sql, caller)}`
  return row ?? null
}

export const listNumbers = (
  sql: Sql,
  caller: Caller,
  { before, limit }: { before: string | null; limit: number },
) => sql<NumberView[]>`
  select ${viewColumns(sql, caller)} from phone_numbers n
  where n.org_id = ${caller.orgId} and n.released_at is null and ${before === null ? sql`true` : sql`n.id < ${before}`}
    and ${isShown(sql, caller)}
  order by n.id desc limit ${limit}`

export async function findNumber(sql: Sql, orgId: string, id: string): Promise<NumberRow | null> {
  const [row] = await sql<NumberRow[]>`
    select ${numberColumns(sql)} from phone_numbers n where n.org_id = ${orgId} and n.id = ${id}`
  return row ?? null
}

export async function findInUse(sql: Sql, orgId: string, e164: string): Promise<NumberRow | null> {
  const [row] = await sql<NumberRow[]>`
    select ${numberColumns(sql)} from phone_numbers n
    where n.org_id = ${orgId} and n.e164 = ${e164} and n.released_at is null`
  return row ?? null
}

/** Without a number, agents and MCP clients see no call or message tools. */
export async function hasActiveNumber(sql: Sql, orgId: string): Promise<boolean> {
  const [row] = await sql`
    select from phone_numbers where org_id = ${orgId} and released_at is null and status = 'active' limit 1`
  return row !== undefined
}

/** Also one whose carrier has a problem. */
export const hasNumber = (sql: Sql, orgId: string): Fragment => sql`
  exists (select from phone_numbers where org_id = ${orgId} and released_at is null)`

export const listToCheck = (sql: Sql, after: string, limit: number) => sql<NumberRow[]>`
  select ${numberColumns(sql)} from phone_numbers n
  where n.id > ${after} and n.released_at is null order by n.id limit ${limit}`

export async function findNewestProject(sql: Sql, orgId: string): Promise<string | null> {
  const [row] = await sql<{ projectId: string }[]>`
    select project_id as "projectId" from phone_numbers where org_id = ${orgId} order by id desc limit 1`
  return row?.projectId ?? null
}

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

/** Returns false if another organization uses the number. */
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

/** The number then belongs to the member who chose the account. */
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

export const updateChecked = (sql: Sql, orgId: string, id: string, checked: NumberCheck) => sql`
  update phone_numbers set provider_id = ${checked.providerId}, account_id = ${checked.accountId},
    capabilities = ${sql.json(checked.capabilities)}, urls = ${sql.json(checked.urls as never)},
    configures_urls = ${checked.configuresUrls}, status = ${checked.problem === null ? 'active' : 'error'},
    status_reason = ${checked.problem}, checked_at = ${checked.now},
    version = version + (account_id <> ${checked.accountId})::int
  where org_id = ${orgId} and id = ${id} and released_at is null`

export const updateProblem = (sql: Sql, orgId: string, id: string, problem: string, now: Date) => sql`
  update phone_numbers set status = 'error', status_reason = ${problem}, checked_at = ${now}
  where org_id = ${orgId} and id = ${id} and released_at is null`

export const updateConnectionNumberProblems = (
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

export async function updateReleased(sql: Sql, orgId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update phone_numbers set status = 'released', status_reason = null, released_at = ${now}, version = version + 1,
      updated_at = ${now}
    where org_id = ${orgId} and id = ${id} and released_at is null
    returning id`
  return rows.length > 0
}

/** Opt-outs survive a new import. */
export const moveOptOuts = (sql: Sql, orgId: string, { id, e164 }: { id: string; e164: string }) => sql`
  with moved as (
    delete from sms_opt_outs o using phone_numbers n
    where n.org_id = ${orgId} and n.e164 = ${e164} and n.id <> ${id} and o.org_id = n.org_id and o.number_id = n.id
    returning o.*
  )
  insert into sms_opt_outs (org_id, id, number_id, recipient, source, created_at)
  select distinct on (recipient) org_id, id, ${id}::uuid, recipient, source, created_at from moved
  order by recipient, created_at
  on conflict do nothing`
