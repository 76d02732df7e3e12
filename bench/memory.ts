import { openBenchDatabase } from './bench-database.ts'
import { compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { reportGrowth } from './report.ts'

const FEW = 1000
const MANY = 1_000_000
const ROUNDS = 200

const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database

async function createTenant(count: number): Promise<string> {
  const owner = await person(await organization(), { role: 'owner' })
  await sql`
    insert into memories (org_id, id, key, content, tags, source, status, written_by, created_at, updated_at)
    select ${owner.orgId}, gen_random_uuid(), 'key ' || n,
      'the photo of ' || n || case when n % 100 = 0 and n <= ${FEW} then ' zebra' else '' end, '{}', 'person', 'active',
      ${owner.id}, now(), now() - n * interval '1 second'
    from generate_series(1, ${count}::int) n`
  return (await key(owner)).key
}

const indexes = await sql<{ name: string; definition: string }[]>`
  select indexname as name, indexdef as definition from pg_indexes
  where tablename = 'memories' and indexname not like '%_pkey'`
// Creating an index afterwards takes a third of the time needed to maintain it.
for (const { name } of indexes) await sql`drop index ${sql(name)}`
const [smallTenantKey, largeTenantKey] = [await createTenant(FEW), await createTenant(MANY)]
for (const { definition } of indexes) await sql.unsafe(definition)
await sql`vacuum analyze memories`

const api = await startProgram('subject.ts', database.connection, folder)
try {
  for (const [name, query] of [
    ['newest first', ''],
    ['a word of every memory', '?q=photo'],
    ['a word of ten memories', '?q=zebra'],
    ['a word of none', '?q=giraffe'],
  ] as const) {
    const read = async (secret: string) => {
      const response = await fetch(`${api.url}/api/v1/memory${query}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
    }
    await Promise.all([smallTenantKey, largeTenantKey].map(read))
    const times = await compareTimes(
      () => read(smallTenantKey),
      () => read(largeTenantKey),
      ROUNDS,
    )
    reportGrowth(`memory, ${name}, ${MANY} and ${FEW}`, times)
  }
} finally {
  await api.stop()
  await database.close()
}
