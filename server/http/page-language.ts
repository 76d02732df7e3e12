import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'

/** Set by the dashboard when a person chooses a language; a browser without it is shown the first of its own languages. */
const COOKIE = 'atrium_language'

/** The language of the page for a browser: chosen, or the first of its languages that the dashboard has. */
export function pageLanguage(request: FastifyRequest, available: readonly string[]): string {
  const { cookie, 'accept-language': accepted = '' } = request.headers
  const chosen = cookie && parseCookie(cookie)[COOKIE]
  if (chosen && available.includes(chosen)) return chosen
  return acceptedLanguages(accepted).find((language) => available.includes(language)) ?? available[0]!
}

/** `de-CH, fr;q=0.9` as `['de', 'fr']`, the preferred one first. */
function acceptedLanguages(header: string): string[] {
  return header
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
