import { statfsSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import type { Pool } from '../../server/database/database.ts'
import { openBenchDatabase } from '../bench-database.ts'
import { median } from '../compare.ts'
import { startProgram } from '../program.ts'
import { GROWTH_MAX } from '../report.ts'
import { CASES } from './cases.ts'
import { measureRetention } from './measure-retention.ts'
import type { Size } from './rows.ts'
import { seedGrowth } from './seed-growth.ts'
import { createTenant, type Tenant } from './tenant.ts'

/** PostgreSQL may switch to a generic plan after a statement's fifth run. */
const WARM_UP = 8
const ROUNDS = 60

/**
 * `npm run bench:growth`: compares lists and hot paths in a large and a small installation. `--scale 0.01` creates a
 * hundredth of the rows.
 */
const FULL: Size = { organizations: 10_000, events: 10_000_000, files: 1_000_000, runs: 100_000 }
/** Ten organizations, each as large as one in the large installation. */
const SMALL: Size = { organizations: 10, events: 10_000, files: 1000, runs: 100 }
const BYTES_PER_EVENT = 4000

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } })
const scale = Number(values.scale)
if (!(scale >= 0.001 && scale <= 10)) throw new Error('--scale has to be a number from 0.001 to 10')
const large = Object.fromEntries(
  Object.entries(FULL).map(([name, count]) => [name, Math.ceil(count * scale)]),
) as unknown as Size
requireSpace(large.events * BYTES_PER_EVENT)

const smallInstallation = await openInstallation(SMALL)
const largeInstallation = await openInstallation(large)
try {
  const tenants = [
    await smallInstallation.tenant(1),
    await largeInstallation.tenant(1),
    await largeInstallation.tenant(0),
  ] as const
  const lines = []
  for (const [name, run] of CASES) {
    const [small, typical, largest] = await interleave(tenants, run)
    lines.push([name, small, typical, largest] as const)
    console.log(rowOf(name, small, typical, largest))
  }
  const slowPaths = lines.filter(
    ([, small, typical, largest]) => Math.max(typical, largest) / small > GROWTH_MAX,
  )
  console.log(`\n${tableOf(lines)}\n`)
  for (const line of await measureRetention(largeInstallation.sql)) console.log(line)
  console.log(
    `database ${await largeInstallation.size()}; load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}; ` +
      `${slowPaths.length} of ${lines.length} paths take more than ${GROWTH_MAX} times as long: ${slowPaths.map(([name]) => name).join(', ')}`,
  )
} finally {
  await smallInstallation.close()
  await largeInstallation.close()
}

async function openInstallation(size: Size) {
  const database = await openBenchDatabase()
  const { sql } = database
  console.log(`${size.organizations} organizations`)
  await createPastPartitions(sql)
  await seedGrowth(sql, size, (line) => console.log(`  ${line}`))
  const api = await startProgram('subject.ts', database.connection, database.folder)
  return {
    sql,
    tenant: (number: number): Promise<Tenant> => createTenant(database, api.url, number),
    async size(): Promise<string> {
      const [row] = await sql<
        { size: string }[]
      >`select pg_size_pretty(pg_database_size(current_database())) as size`
      return row!.size
    },
    async close() {
      await api.stop()
      await database.close()
    },
  }
}

function requireSpace(bytes: number): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize > bytes) return
  const gigabytes = (bytes / 1e9).toFixed(0)
  throw new Error(`${tmpdir()} needs ${gigabytes} GB of free space: set TMPDIR, or use a smaller --scale`)
}

function rowOf(name: string, small: number, typical: number, largest: number): string {
  const ms = (value: number) => value.toFixed(2)
  return `| ${name} | ${ms(small)} | ${ms(typical)} | ${ms(typical / small)} | ${ms(largest)} | ${ms(largest / small)} |`
}

function tableOf(lines: (readonly [string, number, number, number])[]): string {
  const head =
    '| Path | Small, ms | Large, ms | Ratio | Largest organization, ms | Ratio |\n|---|---|---|---|---|---|'
  return [head, ...lines.map((line) => rowOf(...line))].join('\n')
}

/** Measured in turn, so other load affects all tenants. */
async function interleave<T>(
  tenants: readonly [T, T, T],
  run: (tenant: T) => Promise<number>,
): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []]
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [index, tenant] of tenants.entries()) {
      const time = await run(tenant)
      if (round >= 0) times[index]!.push(time)
    }
  return [median(times[0]), median(times[1]), median(times[2])]
}

/** As after weeks of operation. */
async function createPastPartitions(sql: Pool): Promise<void> {
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
