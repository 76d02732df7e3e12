import { seedManyFiles, seedManyFolders, withoutIndexes } from '../server/testing/factories/many-files.ts'
import { openBenchDatabase } from './bench-database.ts'
import { compareTimes } from './compare.ts'
import { startProgram } from './program.ts'

const FEW = 1000
const MANY = 1_000_000
const RATIO_MAX = 1.3
const ROUNDS = 300

/** The same requests with few and with many files, interleaved in one run. */
const database = await openBenchDatabase()
const { sql, organization, person, key } = database

async function place(count: number) {
  const owner = await person(await organization())
  const [small] = await seedManyFolders(sql, owner, { wide: 1, deep: 1 })
  await seedManyFiles(sql, owner, { count })
  await seedManyFiles(sql, owner, { count: 100, parentId: small! })
  const { key: secret } = await key(owner, ['files:write'])
  return { small: small!, headers: { authorization: `Bearer ${secret}` } }
}

type Place = Awaited<ReturnType<typeof place>>

const listings: [name: string, query: (at: Place) => string][] = [
  ['by name', () => ''],
  ['newest first', () => 'sort=newest'],
  ['largest first', () => 'sort=largest'],
  ['page 10', () => 'page=10'],
  ['a small folder', ({ small }) => `parentId=${small}`],
]
const searches: [name: string, query: (at: Place) => string][] = [
  ['a common word', () => 'search=photo'],
  ['a common word, late in the order', () => 'search=report'],
  ['a rare word', () => 'search=zebra'],
  ['a word without matches', () => 'search=giraffe'],
  ['a common letter', () => 'search=p'],
  ['a letter without matches', () => `search=${encodeURIComponent('ж')}`],
  ['a common word in a small folder', ({ small }) => `search=photo&parentId=${small}`],
  ['a rare tag', () => 'tag=rare'],
  ['a common tag, newest first', () => 'tag=common&sort=newest'],
]

const program = await startProgram('subject.ts', database.connection)
let isSlow = false
try {
  const [few, many] = await withoutIndexes(sql, async () => [await place(FEW), await place(MANY)] as const)
  console.log(`${FEW} and ${MANY} files`)
  for (const [name, query] of listings) {
    const { ratio, figures } = await compare(few, many, query, ROUNDS)
    isSlow ||= ratio > RATIO_MAX
    console.log(`${name.padEnd(34)} ${ratio.toFixed(2)} times as long   (${figures})`)
  }
  for (const [name, query] of searches) {
    console.log(`${name.padEnd(34)} ${(await compare(few, many, query, ROUNDS / 10)).figures}`)
  }
} finally {
  await program.stop()
  await database.close()
}
if (isSlow) {
  console.error(`A listing takes more than ${RATIO_MAX} times as long among ${MANY} files as among ${FEW}`)
  process.exitCode = 1
}

function compare(few: Place, many: Place, query: (at: Place) => string, rounds: number) {
  const read = (at: Place) => () => list(at, query(at))
  return compareTimes(read(few), read(many), rounds)
}

async function list({ headers }: Place, query: string): Promise<void> {
  const response = await fetch(`${program.url}/api/v1/files?${query}`, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
}
