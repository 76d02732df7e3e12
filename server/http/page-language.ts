import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { LANGUAGE_CODES, LANGUAGE_COOKIE, type Language } from '../../contract/languages.ts'

/** The one the user chose, else the first of the browser's that is available. Null if there is none. */
export function pageLanguage(
  { headers }: Pick<FastifyRequest, 'headers'>,
  available: readonly Language[] = LANGUAGE_CODES,
): Language | null {
  const { cookie, 'accept-language': accepted } = headers
  const chosen = cookie && parseCookie(cookie)[LANGUAGE_COOKIE]
  const wanted = [...(chosen ? [chosen] : []), ...(accepted ? acceptedLanguages(accepted) : [])]
  return (wanted as Language[]).find((language) => available.includes(language)) ?? null
}

/** Browsers name a few languages; sorting thousands would take milliseconds. */
const HEADER_LENGTH_MAX = 500

/** `de-CH, fr;q=0.9` becomes `['de', 'fr']`, preferred first. */
function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
      return { language: tag.split('-')[0]!, quality: Number(quality ?? 1) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
}
