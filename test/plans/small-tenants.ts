import type { Sql } from '../../server/database/database.ts'

const TENANTS = 500
const ROWS_EACH = 10
/** Values that are unique in the whole installation: each copy gets a value of its own. */
const UNIQUE = new Set([
  'token_hash',
  'hash',
  'webhooks.id',
  'feedback.id',
  'calls.id',
  'connector_endpoints.id',
])

/**
 * Copies a few rows of every table to many small organizations. A generic plan expects an organization of average size,
 * and must also be good for the largest.
 */
export async function seedSmallTenants(sql: Sql, tables: string[]): Promise<void> {
  await sql`
    insert into organizations (id, name, created_at, updated_at)
    select gen_random_uuid(), 'Small ' || n, now(), now() from generate_series(1, ${TENANTS}::int) n`
  for (const table of tables) {
    const columns = await sql<{ name: string; type: string }[]>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`
    const names = columns.map(({ name }) => `"${name}"`).join()
    const values = columns.map(({ name, type }) => columnValue(table, name, type)).join()
    await sql.unsafe(`
      insert into ${table} (${names})
      select ${values} from organizations o cross join (select * from ${table} limit ${ROWS_EACH}) t
      where o.name like 'Small %'`)
  }
}

function columnValue(table: string, name: string, type: string): string {
  if (name === 'org_id') return 'o.id'
  if (!UNIQUE.has(name) && !UNIQUE.has(`${table}.${name}`)) return `t."${name}"`
  return type === 'uuid' ? 'gen_random_uuid()' : 'uuid_send(gen_random_uuid())'
}
