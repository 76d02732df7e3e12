import type { Sql } from './database.ts'

export interface TenantTable {
  name: string
  /** Where its rows are: the table itself, or its partitions. Quoted. */
  leaves: string[]
  refersTo: string[]
  /** References within the same organization and table, unless those rows are deleted too. */
  selfReferences: { from: string[]; to: string[] }[]
  /** Without generated columns. */
  columns: { name: string; type: string }[]
}

/** From the catalog, so a new table can't be forgotten. Each comes before the tables it refers to. */
export async function listTenantTables(sql: Sql): Promise<TenantTable[]> {
  const tables = await sql<TenantTable[]>`
    select c.relname as name, case c.relkind when 'p' then array(
        select p.relid::regclass::text from pg_partition_tree(c.oid) p where p.isleaf order by 1
      ) else array[quote_ident(c.relname)] end as leaves, array(
        select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid order by 1
      ) as "refersTo", coalesce((
        select json_agg(json_build_object('from', ${columnsOf(sql, 'conkey')}, 'to', ${columnsOf(sql, 'confkey')}))
        from pg_constraint k
        where k.conrelid = c.oid and k.confrelid = c.oid and k.contype = 'f' and k.confdeltype in ('a', 'r')
      ), '[]') as "selfReferences", (
        select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)
    order by 1`
  return orderByReferences(tables)
}

const columnsOf = (sql: Sql, key: 'conkey' | 'confkey') => sql`array(
  select quote_ident(a.attname) from unnest(k.${sql(key)}) with ordinality as u (attnum, position)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum order by u.position)`

/** Tables in a reference cycle come last. */
function orderByReferences(tables: readonly TenantTable[]): TenantTable[] {
  const remaining = new Set(tables)
  const ordered: TenantTable[] = []
  const isReferredTo = ({ name }: TenantTable) =>
    [...remaining].some(({ refersTo }) => refersTo.includes(name))
  for (let hasProgress = true; hasProgress; ) {
    const unreferenced = [...remaining].filter((table) => !isReferredTo(table))
    for (const table of unreferenced) remaining.delete(table)
    ordered.push(...unreferenced)
    hasProgress = unreferenced.length > 0
  }
  return [...ordered, ...remaining]
}
