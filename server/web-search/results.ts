import { htmlToText } from '../../markdown/html-to-text.ts'
import type { SearchAdapter } from './adapters.ts'

export interface SearchResult {
  title: string
  url: string
  snippet: string
  publishedAt?: string
}

const TITLE_CHARACTERS = 200
const SNIPPET_CHARACTERS = 500
const URL_CHARACTERS_MAX = 1000
/** Providers answer with at most a few dozen; what follows isn't read. */
const READ_MAX = 200

/** Null if the answer has no list where the adapter expects it. Leaves out what isn't a web page. */
export function readResults(
  { results: paths, omitsEmptyList }: SearchAdapter,
  answer: unknown,
): SearchResult[] | null {
  const list = at(answer, paths.list)
  if (list === undefined && omitsEmptyList && isObject(answer)) return []
  return Array.isArray(list) ? readList(paths, list) : null
}

export function readList(
  paths: Omit<SearchAdapter['results'], 'list'>,
  list: readonly unknown[],
): SearchResult[] {
  const results = new Map<string, SearchResult>()
  for (const item of list.slice(0, READ_MAX)) {
    const url = toPageUrl(at(item, paths.url))
    if (url === null || results.has(url)) continue
    const publishedAt = toDate(at(item, paths.publishedAt))
    results.set(url, {
      title: toPlain(at(item, paths.title), TITLE_CHARACTERS),
      url,
      snippet: toPlain(at(item, paths.snippet), SNIPPET_CHARACTERS),
      ...(publishedAt && { publishedAt }),
    })
  }
  return [...results.values()]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Record<string, unknown>)[name]
          : undefined,
      value,
    )

/** As `web_fetch` compares it: without a fragment. */
export function toPageUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > URL_CHARACTERS_MAX || !URL.canParse(value)) return null
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

const toPlain = (value: unknown, charactersMax: number): string =>
  typeof value === 'string'
    ? htmlToText(value.slice(0, 20 * charactersMax))
        .text.replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, charactersMax)
        .toWellFormed()
    : ''

function toDate(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 60) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
