import { openBenchDatabase } from './bench-database.ts'
import { compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { report, reportLimit } from './report.ts'
import { fillSearch, seedSearchable } from './seeds/seed-search.ts'
import { timeWrites } from './seeds/time-writes.ts'

const FEW = 1000
const MANY = 1_000_000
const OTHER_TENANTS = 20
const RECORDS_OF_OTHERS = 5000
const ROUNDS = 100
const TIME_MAX_MS = 100

const CASES = [
  ['empty box', ''],
  ['a word of every text', 'q=photo'],
  ['a word of thirty texts', 'q=zebra'],
  ['a word of none', 'q=giraffe'],
  ['three letters', 'q=pho'],
  ['three words', 'q=bababa+dibaba+photo'],
  ['a typing error', 'q=zerba'],
  ['a typing error in a word of all titles', 'q=picutre'],
  ['a rare word like a word of all titles', 'q=picturesk'],
  ['two typing errors', 'q=constelaton'],
  ['words of one type', 'q=photo&types=memory'],
  ['an id', 'q=01890000-0000-7000-8000-000000000000'],
] as const

const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database

async function createTenant(count: number) {
  const org = await organization()
  const owner = await person(org, { role: 'owner' })
  await seedSearchable(sql, owner, org.workspaceId, count)
  // One caller per case, because searches per minute are limited.
  const secrets = []
  for (const _ of CASES) secrets.push((await key(await person(org, { role: 'owner' }), ['terminal'])).key)
  return { orgId: org.id, secrets }
}

const smallTenant = await createTenant(FEW)
const largeTenant = await createTenant(MANY)
const otherTenants = []
for (let n = 0; n < OTHER_TENANTS; n++) otherTenants.push(await createTenant(RECORDS_OF_OTHERS))
await fillSearch(
  sql,
  [smallTenant, largeTenant, ...otherTenants].map(({ orgId }) => orgId),
)

const api = await startProgram('subject.ts', database.connection, folder)
try {
  for (const [index, [name, query]] of CASES.entries()) {
    const readAs = (secret: string) => async () => {
      const response = await fetch(`${api.url}/api/v1/search?${query}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
    }
    const searchSmall = readAs(smallTenant.secrets[index]!)
    const searchLarge = readAs(largeTenant.secrets[index]!)
    await Promise.all([searchSmall(), searchLarge()])
    const times = await compareTimes(searchSmall, searchLarge, ROUNDS)
    reportLimit(`search, ${name}, ${MANY} and ${FEW}`, times, TIME_MAX_MS)
  }
  for (const { name, plainMs, indexedMs } of await timeWrites(sql, largeTenant.orgId))
    report({
      name: `${name}, ${MANY} records`,
      ours: `${indexedMs.toFixed(2)} ms`,
      floor: `${plainMs.toFixed(2)} ms`,
      ratio: indexedMs / plainMs,
      note: 'with and without the triggers of search',
    })
} finally {
  await api.stop()
  await database.close()
}
