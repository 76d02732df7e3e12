import type { Pool } from '../../database/database.ts'

/** Faster than maintaining secondary indexes. */
export async function seedWithoutIndexes<T>(
  sql: Pool,
  tables: readonly string[],
  seed: () => Promise<T>,
): Promise<T> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = any(${tables}::text[]) and indexname not like '%_pkey'`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  const result = await seed()
  // A partitioned table's index definition omits its partitions.
  for (const { definition } of indexes) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '))
  return result
}
