import type {
  ORGANIZATION_STATUSES,
  OrganizationSort,
} from '../../../../contract/organizations/lifecycle-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { selectOverrides } from '../../../metering/usage-queries.ts'
import { quotaUsage } from './figures.ts'

// Operators work across organizations, so these statements have no tenant.

type Status = (typeof ORGANIZATION_STATUSES)[number]

export interface OrganizationRow {
  id: string
  name: string
  status: Status
  members: number
  projects: number
  files: number
  storage: number
  runs: number
  spend: string
  activeAt: string
  countedAt: string
  createdAt: string
  overrides: Record<string, number>
  key: string
}

export interface Position {
  key: string
  id: string
}

interface OrganizationList {
  search: string | undefined
  status: Status | undefined
  sort: OrganizationSort
  after: Position | null
  limit: number
}

const isSuspended = (sql: Sql, kind: 'operator' | 'erasure'): Fragment =>
  sql`exists (select from suspensions s where s.org_id = o.id and s.kind = ${kind})`

const statusOf = (sql: Sql): Fragment => sql`
  case when ${isSuspended(sql, 'erasure')} then 'erasing' when ${isSuspended(sql, 'operator')} then 'suspended'
    else 'active' end`

/** Cheap counts are current. Runs, spend and activity are as of `counted_at`. */
const columns = (sql: Sql): Fragment => sql`
  o.id, o.name, ${statusOf(sql)} as status, o.member_count as members, ${quotaUsage(sql, 'projects')}::int as projects,
  ${quotaUsage(sql, 'files')}::bigint as files, ${quotaUsage(sql, 'storage')}::bigint as storage, f.runs, f.spend::text,
  f.active_at as "activeAt", f.counted_at as "countedAt", o.created_at as "createdAt",
  ${selectOverrides(sql, sql`o.id`)} as overrides`

/** An index expression, its value type, and whether the largest come first. */
const orderOf = (
  sql: Sql,
  sort: OrganizationSort,
): { by: Fragment; type: Fragment; isDescending: boolean } => {
  const figure = (column: string) => ({ by: sql`f.${sql(column)}`, type: sql`bigint`, isDescending: true })
  switch (sort) {
    case 'created':
      return { by: sql`o.id`, type: sql`uuid`, isDescending: true }
    case 'name':
      return { by: sql`lower(o.name)`, type: sql`text`, isDescending: false }
    case 'spend':
      return { by: sql`f.spend`, type: sql`numeric`, isDescending: true }
    case 'active':
      return { by: sql`f.active_at`, type: sql`timestamptz`, isDescending: true }
    default:
      return figure(sort)
  }
}

const hasStatus = (sql: Sql, status: Status | undefined): Fragment => {
  if (status === undefined) return sql`true`
  if (status === 'erasing') return isSuspended(sql, 'erasure')
  if (status === 'suspended')
    return sql`(${isSuspended(sql, 'operator')} and not ${isSuspended(sql, 'erasure')})`
  return sql`not exists (select from suspensions s where s.org_id = o.id)`
}

export function listRows(sql: Sql, { search, status, sort, after, limit }: OrganizationList) {
  const { by, type, isDescending } = orderOf(sql, sort)
  const direction = isDescending ? sql`desc` : sql`asc`
  const id = sort === 'created' || sort === 'name' ? sql`o.id` : sql`f.org_id`
  const isAfter = after
    ? sql`(${by}, ${id}) ${isDescending ? sql`<` : sql`>`} (${after.key}::text::${type}, ${after.id}::uuid)`
    : sql`true`
  return sql<OrganizationRow[]>`
    select ${columns(sql)}, (${by})::text as key
    from organizations o join organization_figures f on f.org_id = o.id
    where ${isAfter} and ${hasStatus(sql, status)}
      and ${search ? sql`(position(lower(${search}) in lower(o.name)) > 0 or o.id::text = lower(${search}))` : sql`true`}
    order by ${by} ${direction}, ${id} ${direction} limit ${limit}`
}

export async function findRow(sql: Sql, id: string): Promise<OrganizationRow | null> {
  const [row] = await sql<OrganizationRow[]>`
    select ${columns(sql)}, '' as key from organizations o join organization_figures f on f.org_id = o.id
    where o.id = ${id}`
  return row ?? null
}
