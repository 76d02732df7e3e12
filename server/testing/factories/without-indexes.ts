import type { Pool } from '../../database/database.ts'

/**
 * Seeds without the secondary indexes of these tables and creates them afterwards, which takes less time than maintaining
 * them.
 */
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
  // The definition of an index of a partitioned table leaves its partitions out.
  for (const { definition } of indexes) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '))
  return result
}
