import type { CopySession } from '../database/copy.ts'
import type { Sql } from '../database/database.ts'
import type { Manifest } from './manifest.ts'

type Session = Pick<CopySession, 'query'>

export interface Table {
  schema: string
  name: string
  /** Quoted, with its schema. */
  quoted: string
  isPartitioned: boolean
  /** Quoted, without generated columns. */
  columns: string[]
}

/** Rows that restore or the next start creates: applied migrations and live processes. */
const NOT_COPIED = [
  'public.migrations',
  'graphile_worker.migrations',
  'public.job_processes',
  'public.restore_incomplete',
]

/** Tables to back up. Excludes unlogged tables, which a crash empties too. */
export const listTables = ({ query }: Session) =>
  query<Table>(
    `
  select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as quoted,
    c.relkind = 'p' as "isPartitioned", array(
      select quote_ident(a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
    ) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and n.nspname || '.' || c.relname <> all($1::text[])
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1, 2`,
    [NOT_COPIED],
  )

type Partition = Manifest['partitions'][number]

/** Parents first. */
export const listPartitions = async (session: Session): Promise<Partition[]> =>
  (await readPartitions(session)).map(({ name, parent, bound }) => ({ name, parent, bound }))

/** Replaces a new database's partitions, which depend on its age, with the backup's. */
export async function partitionStatements(
  session: Session,
  dumpedPartitions: Partition[],
): Promise<string[]> {
  const replacedPartitions = (await readPartitions(session)).filter(({ parent }) =>
    dumpedPartitions.some((partition) => partition.parent === parent),
  )
  const settingsOf = (parent: string) =>
    replacedPartitions.find((partition) => partition.parent === parent)?.settings ?? ''
  return [
    ...replacedPartitions.map(({ name }) => `drop table ${name}`),
    ...dumpedPartitions.map(
      ({ name, parent, bound }) =>
        `create table ${name} partition of ${parent} ${bound} ${settingsOf(parent)}`,
    ),
  ]
}

const readPartitions = ({ query }: Session) =>
  query<Partition & { settings: string | null }>(`
  select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', p_n.nspname, p.relname) as parent,
    pg_get_expr(c.relpartbound, c.oid) as bound, 'with (' || array_to_string(c.reloptions, ', ') || ')' as settings
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_class p on p.oid = i.inhparent join pg_namespace p_n on p_n.oid = p.relnamespace
  where n.nspname = 'public' and c.relispartition and c.relkind = 'r' order by c.oid`)

/** Used sequences. Snapshots don't contain them: read after it, no value is lower than in its rows. */
export const listSequences = ({ query }: Session) =>
  query<Manifest['sequences'][number]>(`
  select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
  where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1`)

/** Returns statements that drop and recreate the constraints between tables. */
export const listForeignKeys = ({ query }: Session) =>
  query<{ table: string; drop: string; add: string }>(`
  select conrelid::regclass::text as table, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
  from pg_constraint
  where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text in ('public', 'graphile_worker')`)

/** Lists relations no extension created. Empty for a new database. */
export async function listRelations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`
  return rows.map(({ name }) => name)
}
