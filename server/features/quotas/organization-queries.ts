import type { z } from 'zod'
import type { OperatedOrganization } from '../../../contract/organizations/quotas.ts'
import type { Sql } from '../../database/database.ts'

/** Operators work across organizations, so these statements have no tenant. */

interface OrganizationPage {
  search: string | undefined
  before: string | null
  limit: number
}

export const listOrganizations = (sql: Sql, { search, before, limit }: OrganizationPage) => sql<
  z.output<typeof OperatedOrganization>[]
>`
  select o.id, o.name, o.created_at as "createdAt",
    o.member_count as "memberCount",
    (select count(*) from quota_overrides q where q.org_id = o.id) as "overrideCount"
  from organizations o
  where ${before ? sql`o.id < ${before}` : sql`true`}
    and ${search ? sql`(position(lower(${search}) in lower(o.name)) > 0 or o.id::text = lower(${search}))` : sql`true`}
  order by o.id desc limit ${limit}`

export async function findOrganization(sql: Sql, id: string) {
  const [row] = await sql<{ id: string; name: string }[]>`select id, name from organizations where id = ${id}`
  return row ?? null
}

/** Serializes changes of the limits of one organization. */
export async function lockOrganization(sql: Sql, id: string) {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = ${id} for no key update`
  return row ?? null
}
