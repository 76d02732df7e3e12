import { dictionary } from '../../../../contract/dictionary.ts'
import type { Sql } from '../../../database/database.ts'
import { isUuid } from '../../../security/ids.ts'
import { randomHex } from '../../../security/random.ts'
import { listTakenSlugs } from './queries.ts'

const LENGTH_MAX = 60
/** For names without ASCII letters or digits. */
const FALLBACK = 'project'
/** Unicode doesn't decompose these into a base letter and a mark. */
const PLAIN: Record<string, string> = dictionary({
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
})

/** `Ünï Café #2` becomes `uni-cafe-2`. Never a UUID, because paths accept an id or a slug. */
export function toSlug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const letters = plain.replace(/[^a-z0-9]/gu, (letter) => PLAIN[letter] ?? ' ')
  const slug = letters.trim().replace(/ +/g, '-').slice(0, LENGTH_MAX).replace(/-$/, '')
  if (slug === '') return FALLBACK
  return isUuid(slug) ? `${FALLBACK}-${slug}` : slug
}

const SUFFIX_BYTES = 4

/** Numbering would reveal that another project has the name, so private slugs end in a random suffix. */
export function preferredSlug({
  name,
  visibility,
}: {
  name: string
  visibility: 'team' | 'private'
}): string {
  const slug = toSlug(name)
  if (visibility === 'team') return slug
  const suffix = `-${randomHex(SUFFIX_BYTES)}`
  return slug.slice(0, LENGTH_MAX - suffix.length).replace(/-$/, '') + suffix
}

const ADJACENT = 16
const PROBES = 32

/**
 * Probes `plan-2`, `plan-3`, … with growing gaps, then bisects, so the thousandth project with a name costs hardly more
 * than the third.
 */
export async function nextSlug(sql: Sql, orgId: string, slug: string): Promise<string> {
  const withNumber = (number: number) => `${slug}-${number}`
  let taken = 1
  let free = Number.POSITIVE_INFINITY
  while (free - taken > 1) {
    const numbers = numbersToProbe(taken, free)
    const found = new Set(await listTakenSlugs(sql, orgId, numbers.map(withNumber)))
    free = numbers.find((number) => !found.has(withNumber(number))) ?? free
    taken = numbers.findLast((number) => number < free && found.has(withNumber(number))) ?? taken
  }
  return withNumber(free)
}

/** Adjacent numbers, then growing gaps, or evenly spread below a known bound. */
function numbersToProbe(low: number, high: number): number[] {
  if (high === Number.POSITIVE_INFINITY) {
    const near = Array.from({ length: ADJACENT }, (_, at) => low + 1 + at)
    return [...near, ...near.map((_, at) => low + ADJACENT * 2 ** (at + 1))]
  }
  const step = Math.ceil((high - low) / PROBES)
  return Array.from({ length: PROBES }, (_, at) => low + step * (at + 1)).filter((number) => number < high)
}
