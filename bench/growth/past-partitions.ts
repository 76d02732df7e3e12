import type { Pool } from '../../server/database/database.ts'

/** Replaces the empty partitions of a new installation with those of an installation that has run for weeks. */
export async function createPastPartitions(sql: Pool): Promise<void> {
  for (const [table, unit, hours, past] of [
    ['events', 'week', 168, 5],
    ['deliveries', 'week', 168, 5],
    ['delivery_attempts', 'week', 168, 5],
    ['run_events', 'day', 24, 9],
  ] as const) {
    await sql`drop table ${sql(`${table}_initial`)}`
    await sql`
      select add_time_partition(${table}::regclass, t.at, t.at + ${hours}::int * interval '1 hour')
      from generate_series(${past}::int, 0, -1) n
      cross join lateral (select date_trunc(${unit}, now(), 'UTC') - n * ${hours}::int * interval '1 hour' as at) t`
  }
}
