import { seedManyFiles, seedManyFolders, withoutIndexes } from '../server/testing/factories/many-files.ts'
import { openBenchDatabase } from './bench-database.ts'
import { compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { reportGrowth, reportTimes } from './report.ts'

const FEW = 1000
const MANY = 1_000_000
const ROUNDS = 300

const database = await openBenchDatabase()
const { sql, organization, person, key } = database

async function createTenant(count: number) {
  const owner = await person(await organization())
  const [smallFolderId] = await seedManyFolders(sql, owner, { wide: 1, deep: 1 })
  await seedManyFiles(sql, owner, { count })
  await seedManyFiles(sql, owner, { count: 100, parentId: smallFolderId! })
  const { key: secret } = await key(owner, ['files:write'])
  return { smallFolderId: smallFolderId!, headers: { authorization: `Bearer ${secret}` } }
}

type Tenant = Awaited<ReturnType<typeof createTenant>>

const listings: [name: string, query: (tenant: Tenant) => string][] = [
  ['by name', () => ''],
  ['newest first', () => 'sort=newest'],
  ['largest first', () => 'sort=largest'],
  ['page 10', () => 'page=10'],
  ['small folder', ({ smallFolderId }) => `parentId=${smallFolderId}`],
]
const searches: [name: string, query: (tenant: Tenant) => string][] = [
  ['common term', () => 'search=photo'],
  ['common term, late in the order', () => 'search=report'],
  ['rare term', () => 'search=zebra'],
  ['term without matches', () => 'search=giraffe'],
  ['common letter', () => 'search=p'],
  ['letter without matches', () => `search=${encodeURIComponent('ж')}`],
  ['common term in a small folder', ({ smallFolderId }) => `search=photo&parentId=${smallFolderId}`],
  ['rare tag', () => 'tag=rare'],
  ['common tag, newest first', () => 'tag=common&sort=newest'],
]

const program = await startProgram('subject.ts', database.connection)
try {
  const [smallTenant, largeTenant] = await withoutIndexes(
    sql,
    async () => [await createTenant(FEW), await createTenant(MANY)] as const,
  )
  for (const [name, query] of listings) {
    reportGrowth(`${name}, ${MANY} and ${FEW} files`, await compare(smallTenant, largeTenant, query, ROUNDS))
  }
  for (const [name, query] of searches) {
    reportTimes(`search: ${name}`, await compare(smallTenant, largeTenant, query, ROUNDS / 10))
  }
} finally {
  await program.stop()
  await database.close()
}

function compare(small: Tenant, large: Tenant, query: (tenant: Tenant) => string, rounds: number) {
  const read = (tenant: Tenant) => () => list(tenant, query(tenant))
  return compareTimes(read(small), read(large), rounds)
}

async function list({ headers }: Tenant, query: string): Promise<void> {
  const response = await fetch(`${program.url}/api/v1/files?${query}`, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
}
