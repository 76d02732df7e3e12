import type { Fragment, Sql } from '../database/database.ts'

export interface Queue {
  table: string
  /** Primary key after `org_id`. */
  key: readonly string[]
  /** Null while not waiting for a worker. Default: `due_at`. */
  due?: string
  /**
   * First index column for waiting rows. `org_id` suits rows due at once: a claim reads a few per organization. `due`
   * suits rows waiting for a time, such as schedules: a claim reads only due ones.
   */
  indexedBy: 'org_id' | 'due'
  /** Boolean column after `org_id` in the index. Its rows leave some of their organization's places to others. */
  bulk?: string
}

export interface OrganizationClaim {
  /** Suspended organizations count as being at their limit. */
  running: readonly { orgId: string; count: number; bulk?: number }[]
  perOrganization: number
  /** Of these, places for bulk rows. Default: all. */
  bulkPerOrganization?: number
  limit: number
  now: Date
  /** Then others may claim them if this process is killed. */
  leasedUntil: Date
}

interface Claiming {
  /** A condition on row `t`. */
  where?: Fragment
  /** Assignments to row `t`. */
  lease: Fragment
  /** Columns of row `t`. */
  returning: Fragment
}

/** Organizations only take turns. */
export const inTurns = (
  claim: Omit<OrganizationClaim, 'running' | 'perOrganization'>,
): OrganizationClaim => ({
  running: [],
  perOrganization: claim.limit,
  ...claim,
})

/** Organizations take turns, each up to its limit, so none delays another. Skips rows being claimed elsewhere. */
export const claimFairly = <Item extends object>(
  sql: Sql,
  queue: Queue,
  claim: OrganizationClaim,
  { where = sql`true`, lease, returning }: Claiming,
) => {
  const find = queue.indexedBy === 'org_id' ? dueByOrganization : dueByTime
  return sql<Item[]>`
    with recursive busy as (
      select * from jsonb_to_recordset(${sql.json(claim.running)}) as b ("orgId" uuid, count int, bulk int)
    ), ${find(sql, queue, claim, where)}
    update ${sql(queue.table)} t set ${lease} from due d where ${isSameRow(sql, queue, 't', 'd')}
    returning ${returning}`
}

/** Includes rows due later: see `Polling`. */
export const waitingIn =
  ({ table, due = 'due_at', indexedBy }: Queue) =>
  (sql: Sql): Fragment =>
    sql`
    select true from ${sql(table)} where ${sql(due)} is not null order by ${sql(indexedBy === 'due' ? due : 'org_id')} limit 1`

/** Loose index scan. */
const dueByOrganization = (
  sql: Sql,
  queue: Queue,
  { perOrganization, bulkPerOrganization = perOrganization, limit, now }: OrganizationClaim,
  where: Fragment,
): Fragment => {
  const table = sql(queue.table)
  const due = sql(`t.${queue.due ?? 'due_at'}`)
  const isOfKind = queue.bulk ? sql`and ${sql(`t.${queue.bulk}`)} = k.is_bulk` : sql``
  const kinds = queue.bulk ? sql`(false, f.free), (true, least(f.free, f.bulk))` : sql`(false, f.free)`
  return sql`orgs as (
      (select t.org_id from ${table} t where ${due} is not null order by t.org_id limit 1)
      union all
      select (select t.org_id from ${table} t where ${due} is not null and t.org_id > o.org_id order by t.org_id limit 1)
      from orgs o where o.org_id is not null
    ), places as (
      select o.org_id, greatest(0, ${perOrganization}::int - coalesce(b.count, 0)) as free,
        greatest(0, ${bulkPerOrganization}::int - coalesce(b.bulk, 0)) as bulk
      from orgs o left join busy b on b."orgId" = o.org_id
      where o.org_id is not null
    ), locked as (
      select found.*, f.free, row_number() over (partition by found.org_id order by found.due) as turn
      from places f cross join lateral (values ${kinds}) as k (is_bulk, free)
      cross join lateral (
        select ${keyOf(sql, queue, 't')}, ${due} as due from ${table} t
        where t.org_id = f.org_id ${isOfKind} and ${due} <= ${now} and ${where}
        order by ${due} limit k.free
        for no key update of t skip locked
      ) found
    ), due as (
      select * from locked where turn <= free order by turn, due limit ${limit}
    )`
}

/** Only the oldest are considered. Beyond this, a backlog delays other organizations. */
const CANDIDATES_MAX = 20_000
/** Locks this many times the rows it claims: other processes take the first ones. */
const SPARE = 4

const dueByTime = (
  sql: Sql,
  queue: Queue,
  { perOrganization, limit, now }: OrganizationClaim,
  where: Fragment,
): Fragment => {
  const table = sql(queue.table)
  const due = sql(`t.${queue.due ?? 'due_at'}`)
  return sql`oldest as (
      select ${keyOf(sql, queue, 't')}, ${due} as due from ${table} t
      where ${due} <= ${now} and ${where}
        and t.org_id <> all(array(select "orgId" from busy where count >= ${perOrganization}::int))
      order by ${due} limit ${CANDIDATES_MAX}
    ), turns as (
      select o.*, row_number() over (partition by o.org_id order by o.due) + coalesce(b.count, 0) as turn
      from oldest o left join busy b on b."orgId" = o.org_id
    ), next as (
      select * from turns where turn <= ${perOrganization}::int order by turn, due limit ${limit * SPARE}
    ), due as (
      select ${keyOf(sql, queue, 't')} from next n join ${table} t on ${isSameRow(sql, queue, 't', 'n')}
      where ${due} <= ${now} and ${where}
      order by n.turn, n.due limit ${limit} for no key update of t skip locked
    )`
}

const keyOf = (sql: Sql, { key }: Queue, alias: string): Fragment =>
  sql(['org_id', ...key].map((column) => `${alias}.${column}`))

const isSameRow = (sql: Sql, { key }: Queue, a: string, b: string): Fragment =>
  sql.unsafe(['org_id', ...key].map((column) => `${a}.${column} = ${b}.${column}`).join(' and '))
