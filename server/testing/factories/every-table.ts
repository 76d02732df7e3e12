import type { Pool, Sql } from '../../database/database.ts'
import { listTenantTables } from '../../database/tenant-tables.ts'
import type { Value } from '../../database/values.ts'
import { newId } from '../../security/ids.ts'
import { randomHex } from '../../security/random.ts'

interface Column {
  name: string
  type: string
  isArray: boolean
  length: number | null
  hasDefault: boolean
  isNullable: boolean
}

interface ForeignKey {
  columns: string[]
  target: string
  targetColumns: string[]
}

type Row = Record<string, unknown>

/**
 * Covers every tenant table in the catalog, so a test can't forget new ones. Rows use every foreign key, and
 * self-referencing tables get a second row. Call `dropChecks` first. Triggers don't fire. Returns row counts.
 */
export async function seedEveryTable(
  pool: Pool,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<Map<string, number>> {
  const tables = (await listTenantTables(pool)).toReversed()
  const lastRows = new Map<string, Row>([
    ['organizations', { id: orgId }],
    ['users', { id: userId }],
  ])
  const counts = new Map<string, number>()
  await pool.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    for (const { name, selfReferences } of tables) {
      const columns = await columnsOf(sql, name)
      const keys = await foreignKeysOf(sql, name)
      for (let n = 0; n <= Math.min(1, selfReferences.length); n++) {
        const row = rowFor(columns, keys, lastRows, { org_id: orgId, table: name })
        if (await insert(sql, name, row)) counts.set(name, (counts.get(name) ?? 0) + 1)
        lastRows.set(name, row)
      }
    }
  })
  return counts
}

/** Lets a separate database store rows with arbitrary values. */
export async function dropChecks(pool: Pool): Promise<void> {
  const checks = await pool<{ statement: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace and conrelid <> 0 and coninhcount = 0`
  for (const { statement } of checks) await pool.unsafe(statement)
}

const columnsOf = (sql: Sql, table: string) => sql<Column[]>`
  select a.attname as name, case when t.typelem <> 0 and t.typcategory = 'A' then e.typname else t.typname end as type,
    t.typcategory = 'A' as "isArray", case when a.atttypmod > 4 then a.atttypmod - 4 end as length,
    a.atthasdef or a.attidentity <> '' as "hasDefault", not a.attnotnull as "isNullable"
  from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem
  where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by a.attnum`

const foreignKeysOf = (sql: Sql, table: string) => sql<ForeignKey[]>`
  select c.relname as target, array(
      select a.attname::text from unnest(k.conkey) with ordinality u (n, at)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by u.at) as columns, array(
      select a.attname::text from unnest(k.confkey) with ordinality u (n, at)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n order by u.at) as "targetColumns"
  from pg_constraint k join pg_class c on c.oid = k.confrelid
  where k.conrelid = ${table}::regclass and k.contype = 'f'`

function rowFor(
  columns: readonly Column[],
  keys: readonly ForeignKey[],
  lastRows: Map<string, Row>,
  { org_id, table }: { org_id: string; table: string },
): Row {
  const row: Row = {}
  for (const column of columns)
    if (!column.hasDefault || column.isNullable) row[column.name] = anyValue(column)
  for (const { columns: ownColumns, target, targetColumns } of keys) {
    const targetRow = lastRows.get(target)
    ownColumns.forEach((name, at) => {
      const column = columns.find((each) => each.name === name)
      // PostgreSQL computes some columns. A table's first row can't refer to another.
      if (column && targetRow) row[name] = targetRow[targetColumns[at]!]
      else if (column?.isNullable && target === table) row[name] = null
    })
  }
  // The object store refuses other key formats.
  if (table === 'objects') row.key = `${org_id}/${randomHex(16)}`
  return { ...row, org_id }
}

/** Ids, texts and bytes are unique. */
function anyValue({ type, isArray, length }: Column): unknown {
  if (isArray) return []
  switch (type) {
    case 'uuid':
      return newId()
    case 'bool':
      return false
    case 'int2':
    case 'int4':
    case 'int8':
    case 'numeric':
    case 'float4':
    case 'float8':
      return 1
    case 'timestamptz':
    case 'timestamp':
    case 'date':
      return new Date('2026-01-01T00:00:00Z')
    case 'interval':
      return '1 hour'
    case 'json':
    case 'jsonb':
      return {}
    case 'bit':
    case 'varbit':
      return '101'
    case 'bytea':
      return Buffer.from(randomHex(16))
    case 'tsvector':
      return ''
    case 'inet':
      return '192.0.2.1'
    default:
      return randomHex(16).slice(0, length ?? undefined)
  }
}

/** False if the key exists, for example from another table's trigger. */
async function insert(sql: Sql, table: string, row: Row): Promise<boolean> {
  const values = Object.values(row).map((value, index) => {
    const stored = (isPlain(value) ? sql.json(value) : value) as Value
    return index === 0 ? sql`${stored}` : sql`, ${stored}`
  })
  const { count } = await sql`
    insert into ${sql(table)} (${sql(Object.keys(row))}) values (${values}) on conflict do nothing`
  return count === 1
}

const isPlain = (value: unknown) => value !== null && Object.getPrototypeOf(value) === Object.prototype
