import { openBenchDatabase } from './bench-database.ts'
import { compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { report, reportLimit } from './report.ts'
import { fillSearch, seedSearchable } from './seeds/seed-search.ts'
import { timeWrites } from './seeds/time-writes.ts'

const FEW = 1000
const MANY = 1_000_000
/** Organizations of this size beside the large one. */
const OTHERS = 20
const OTHERS_EACH = 5000
const ROUNDS = 100
const TIME_MAX_MS = 100

const CASES = [
  ['empty box', ''],
  ['a word of every text', 'q=photo'],
  ['a word of forty texts', 'q=zebra'],
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

/** Searches of an organization with a million records beside those of one with a thousand, among others. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database

async function createTenant(count: number) {
  const org = await organization()
  const owner = await person(org, { role: 'owner' })
  await seedSearchable(sql, owner, org.workspaceId, count)
  // One caller for each case: the number of searches per minute is limited.
  const secrets = []
  for (const _ of CASES) secrets.push((await key(await person(org, { role: 'owner' }), ['terminal'])).key)
  return { orgId: org.id, secrets }
}

const few = await createTenant(FEW)
const many = await createTenant(MANY)
const others = []
for (let n = 0; n < OTHERS; n++) others.push(await createTenant(OTHERS_EACH))
await fillSearch(
  sql,
  [few, many, ...others].map(({ orgId }) => orgId),
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
    const [ofFew, ofMany] = [readAs(few.secrets[index]!), readAs(many.secrets[index]!)]
    await Promise.all([ofFew(), ofMany()])
    reportLimit(`search, ${name}, ${MANY} and ${FEW}`, await compareTimes(ofFew, ofMany, ROUNDS), TIME_MAX_MS)
  }
  for (const { name, plainMs, enteredMs } of await timeWrites(sql, many.orgId))
    report({
      name: `${name}, ${MANY} records`,
      ours: `${enteredMs.toFixed(2)} ms`,
      floor: `${plainMs.toFixed(2)} ms`,
      ratio: enteredMs / plainMs,
      note: 'with and without the triggers of search',
    })
} finally {
  await api.stop()
  await database.close()
}
