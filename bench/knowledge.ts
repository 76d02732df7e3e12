import { readFile } from 'node:fs/promises'
import { openBenchDatabase } from './bench-database.ts'
import { startProgram } from './program.ts'
import { report } from './report.ts'
import { seedNote, seedOtherPassages } from './seeds/seed-passages.ts'

/** Paragraphs and questions about them, by language. Not part of the project: the default is a small set of its own. */
interface Dataset {
  languages: Record<
    string,
    { paragraphs: { title: string; text: string }[]; questions: { question: string; paragraph: number }[] }
  >
}

const OTHER_PASSAGES = 100_000
const FEW_PASSAGES = 1000
const CALLS_PER_KEY = 230
const P95_MAX_MS = 150
const GROWTH_MAX = 2
const LOSS_MAX = 0.025
/** What a prototype of the ranking reached with XQuAD. */
const TARGETS: Record<string, { first: number; five: number }> = {
  en: { first: 0.955, five: 0.99 },
  de: { first: 0.912, five: 0.98 },
  es: { first: 0.94, five: 0.99 },
}

/** `npm run bench -- knowledge --data=questions.json` */
const path = process.argv.find((word) => word.startsWith('--data='))?.slice('--data='.length)
const { languages } = JSON.parse(
  await readFile(path ?? new URL('seeds/knowledge.json', import.meta.url), 'utf8'),
) as Dataset

const database = await openBenchDatabase()
const { folder, sql, organization, person, project, key } = database

async function createTenant() {
  const org = await organization()
  const owner = await person(org, { role: 'owner' })
  const { id: projectId } = await project(owner)
  let used = CALLS_PER_KEY
  let secret = ''
  return {
    place: { orgId: org.id, projectId, userId: owner.id },
    /** Searches per minute and caller are limited. */
    async secret() {
      if (used++ >= CALLS_PER_KEY) {
        used = 1
        secret = (await key(await person(org, { role: 'owner' }), ['terminal'])).key
      }
      return secret
    },
  }
}
type Tenant = Awaited<ReturnType<typeof createTenant>>

const api = await startProgram('subject.ts', database.connection, folder)

interface Found {
  items: { source: { id: string } }[]
}

async function search(tenant: Tenant, question: string): Promise<{ ids: string[]; ms: number }> {
  const authorization = `Bearer ${await tenant.secret()}`
  const began = performance.now()
  const response = await fetch(
    `${api.url}/api/v1/knowledge/search?limit=10&q=${encodeURIComponent(question)}`,
    { headers: { authorization } },
  )
  const body = await response.text()
  const ms = performance.now() - began
  if (!response.ok) throw new Error(body)
  return { ids: (JSON.parse(body) as Found).items.map(({ source }) => source.id), ms }
}

async function measure(tenant: Tenant, questions: { question: string; id: string }[]) {
  const ranks: number[] = []
  const times: number[] = []
  for (const { question, id } of questions) {
    const { ids, ms } = await search(tenant, question)
    ranks.push(ids.indexOf(id))
    times.push(ms)
  }
  const share = (count: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + (rank === -1 ? 0 : count(rank)), 0) / ranks.length
  return {
    first: share((rank) => (rank === 0 ? 1 : 0)),
    five: share((rank) => (rank < 5 ? 1 : 0)),
    reciprocal: share((rank) => 1 / (rank + 1)),
    p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!,
    times,
  }
}

const p95Of = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
const figure = (value: number) => value.toFixed(3)

async function seedParagraphs(tenant: Tenant, language: string) {
  const { paragraphs, questions } = languages[language]!
  const ids: string[] = []
  for (const { title, text } of paragraphs)
    ids.push((await seedNote(sql, tenant.place, { title: path ? '' : title, text })).id)
  return questions.map(({ question, paragraph }) => ({ question, id: ids[paragraph]! }))
}

try {
  const alone = new Map<string, Awaited<ReturnType<typeof measure>>>()
  for (const language of Object.keys(languages)) {
    const tenant = await createTenant()
    const measured = await measure(tenant, await seedParagraphs(tenant, language))
    alone.set(language, measured)
    const target = path ? TARGETS[language] : undefined
    for (const [name, value, least] of [
      ['recall@1', measured.first, target?.first],
      ['recall@5', measured.five, target?.five],
      ['MRR@10', measured.reciprocal, undefined],
    ] as const)
      report({
        name: `${name}, ${language}`,
        ours: figure(value),
        ...(least !== undefined && {
          target: { text: `≥ ${figure(least)}`, isMet: value >= least - 0.0005 },
        }),
      })
  }

  const [large, small] = [await createTenant(), await createTenant()]
  const questions = new Map<string, { question: string; id: string }[]>()
  for (const language of Object.keys(languages))
    questions.set(language, await seedParagraphs(large, language))
  const others = await seedOtherPassages(sql, large.place, OTHER_PASSAGES)
  await seedOtherPassages(sql, small.place, FEW_PASSAGES)
  await sql`vacuum analyze`
  const manyTimes: number[] = []
  const fewTimes: number[] = []
  for (const [language, asked] of questions) {
    await measure(large, asked.slice(0, 20))
    await measure(small, asked.slice(0, 20))
    const measured = await measure(large, asked)
    manyTimes.push(...measured.times)
    fewTimes.push(...(await measure(small, asked)).times)
    const before = alone.get(language)!.five
    report({
      name: `recall@5, ${language}, beside others`,
      ours: figure(measured.five),
      floor: figure(before),
      target: { text: `≥ ${figure(before - LOSS_MAX)}`, isMet: measured.five >= before - LOSS_MAX },
      note: `${others} other passages; recall@1 ${figure(measured.first)}, MRR@10 ${figure(measured.reciprocal)}`,
    })
  }
  const [many, few] = [p95Of(manyTimes), p95Of(fewTimes)]
  report({
    name: `search, ${others} passages, p95`,
    ours: `${many.toFixed(1)} ms`,
    target: { text: `≤ ${P95_MAX_MS} ms`, isMet: many <= P95_MAX_MS },
  })
  report({
    name: `search, ${others} and ${FEW_PASSAGES} passages, p95`,
    ours: `${many.toFixed(1)} ms`,
    floor: `${few.toFixed(1)} ms`,
    ratio: many / few,
    target: { text: `≤ ${GROWTH_MAX}`, isMet: many / few <= GROWTH_MAX },
  })
} finally {
  await api.stop()
  await database.close()
}
