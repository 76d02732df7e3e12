import type { Pool } from './database.ts'

/**
 * Analyzes the tables that have rows and no planner statistics, such as those of a database that was just restored from a
 * dump: until then, lists of them have slow plans. Returns their names.
 */
export async function analyzeNewTables(pool: Pool): Promise<string[]> {
  const tables = await pool<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_relation_size(c.oid) > 0
      and not exists (select from pg_stats s where s.schemaname = 'public' and s.tablename = c.relname)`
  for (const { name } of tables) await pool`analyze ${pool(name)}`
  return tables.map(({ name }) => name)
}
