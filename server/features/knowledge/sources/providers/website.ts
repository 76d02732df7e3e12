import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { sha256 } from '../../../../security/digest.ts'
import { readSitemap } from '../../../files/files/files.ts'
import { type Json, provider, type RemoteItem, type SettingsOf } from './provider.ts'
import type { Remote } from './remote.ts'
import { ALLOWS_ALL, parseRobots, type Robots } from './robots.ts'
import { SourceFailure } from './source-failure.ts'

const PAGES = 500
/** Also of an unpacked one. The protocol allows 50 MB. */
const SITEMAP_BYTES_MAX = 20_000_000
const SITEMAPS_MAX = 100
const INDEX_DEPTH_MAX = 2
const ROBOTS_BYTES_MAX = 512_000
const PAGE_BYTES_MAX = 20_000_000
const REQUEST_MS = 30_000
const REDIRECTS_MAX = 3
const URL_LENGTH_MAX = 1000
const USER_AGENT = 'Atrium-Sync/1'

type Settings = SettingsOf<'website'>

interface Listing {
  sitemaps: { url: string; depth: number }[]
  read: number
  pages: number
}

export const website = provider<'website'>({
  settings: SOURCE_SETTINGS.website,
  nameOf: ({ url }) => new URL(url).hostname,

  async begin(remote, settings) {
    const robots = await readRobots(remote, settings)
    const own = new URL(settings.url)
    const isSitemap = /\.(xml|gz|txt)$/i.test(own.pathname)
    const named = robots.sitemaps.filter((url) => isOnSite(settings, url))
    const urls = isSitemap ? [own.href] : named.length > 0 ? named : [new URL('/sitemap.xml', own).href]
    const sitemaps = urls.slice(0, SITEMAPS_MAX).map((url) => ({ url, depth: 0 }))
    return { cursor: null, listing: { sitemaps, read: 0, pages: 0 } }
  },

  async list(remote, settings, listing) {
    const { sitemaps, read, pages } = listing as unknown as Listing
    const [sitemap, ...rest] = sitemaps
    const pagesMax = settings.pages ?? PAGES
    if (!sitemap || pages >= pagesMax || read >= SITEMAPS_MAX) return { items: [], next: null }
    const robots = await readRobots(remote, settings)
    const found = await readSitemapAt(remote, settings, sitemap.url, robots)
    const items = await listPages(settings, robots, found.pages, pagesMax - pages)
    const below =
      sitemap.depth >= INDEX_DEPTH_MAX
        ? []
        : found.sitemaps
            .filter((url) => isOnSite(settings, url))
            .map((url) => ({ url, depth: sitemap.depth + 1 }))
    const queue = [...rest, ...below].slice(0, SITEMAPS_MAX - read - 1)
    const next: Listing = { sitemaps: queue, read: read + 1, pages: pages + items.length }
    return { items, next: queue.length === 0 ? null : (next as unknown as Json) }
  },

  async download(remote, settings, item, known, store) {
    const robots = await readRobots(remote, settings)
    if (robots.delayMs > 0) await sleep(robots.delayMs, undefined, { signal: remote.signal })
    return fetchPage(remote, settings, robots, item.id, {
      headers: known?.etag ? { 'if-none-match': known.etag } : {},
      async consume({ status, headers, body }) {
        if (status === 304) return { kind: 'unchanged', version: item.version }
        if (status === 404 || status === 410) return { kind: 'gone' }
        if (status >= 500 || status === 429) throw busy(remote, status, headers)
        if (status >= 300) return { kind: 'skipped', reason: `The site answers with status ${status}` }
        const type = headers['content-type'] ?? ''
        const stored = await store({
          mimeType: type.split(';', 1)[0]!,
          content: toUtf8(body, type),
        })
        return { kind: 'stored', stored, version: item.version, etag: headers.etag ?? null }
      },
    })
  },
})

const isOnSite = (settings: Settings, url: string): boolean =>
  URL.canParse(url) &&
  new URL(url).host === new URL(settings.url).host &&
  /^https?:$/.test(new URL(url).protocol)

/** Each URL is compared with all rules of robots.txt, so others get a turn in between. */
const URLS_AT_ONCE = 10

async function listPages(
  settings: Settings,
  robots: Robots,
  pages: readonly { url: string; lastModified: string | null }[],
  limit: number,
): Promise<RemoteItem[]> {
  const items = new Map<string, RemoteItem>()
  for (const [index, { url, lastModified }] of pages.entries()) {
    if (items.size >= limit) break
    if (index % URLS_AT_ONCE === 0) await setImmediate()
    for (const item of itemOf(settings, robots, url, lastModified)) items.set(item.id, item)
  }
  return [...items.values()]
}

function itemOf(settings: Settings, robots: Robots, text: string, lastModified: string | null): RemoteItem[] {
  if (text.length > URL_LENGTH_MAX || !isOnSite(settings, text)) return []
  const url = new URL(text)
  url.hash = ''
  url.protocol = new URL(settings.url).protocol
  const path = url.pathname + url.search
  if (settings.path && !url.pathname.startsWith(settings.path)) return []
  const parts = url.pathname.split('/').map(decodePart).filter(Boolean)
  const isFolder = url.pathname.endsWith('/')
  const last = (isFolder ? undefined : parts.pop()) ?? 'index'
  const query = url.search === '' ? '' : ` ${sha256(url.search).toString('hex').slice(0, 8)}`
  const item: RemoteItem = {
    id: url.href,
    folders: parts,
    name: /\.[a-z0-9]{1,8}$/i.test(last) && query === '' ? last : `${last}${query}.html`,
    version: lastModified,
  }
  return [robots.allows(path) ? item : { ...item, skip: 'The site’s robots.txt excludes it' }]
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

interface Response {
  status: number
  headers: Readonly<Record<string, string>>
  body: AsyncIterable<Uint8Array>
}

interface PageRequest<T> {
  headers?: Record<string, string>
  bytesMax?: number
  consume: (response: Response) => Promise<T>
}

/** Follows redirects on the same host only. */
async function fetchPage<T>(
  remote: Remote,
  settings: Settings,
  robots: Robots,
  url: string,
  { headers = {}, bytesMax = PAGE_BYTES_MAX, consume }: PageRequest<T>,
): Promise<T | { kind: 'skipped'; reason: string }> {
  let current = url
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const path = new URL(current).pathname + new URL(current).search
    if (!robots.allows(path)) return { kind: 'skipped', reason: 'The site’s robots.txt excludes it' }
    const outcome = await remote.outbound.stream(
      {
        method: 'GET',
        url: current,
        headers: { 'user-agent': USER_AGENT, accept: '*/*', ...headers },
        timeoutMs: REQUEST_MS,
        bytesMax,
        signal: remote.signal,
      },
      async (response) => {
        const { location } = response.headers
        const isRedirect = [301, 302, 303, 307, 308].includes(response.status)
        if (isRedirect && location !== undefined && URL.canParse(location, current))
          return { redirect: new URL(location, current).href }
        return { value: await consume(response) }
      },
    )
    if (outcome.kind === 'failure') throw new SourceFailure('try_again', outcome.error)
    if (outcome.response.redirect === undefined) return outcome.response.value
    if (!isOnSite(settings, outcome.response.redirect))
      return { kind: 'skipped', reason: 'It redirects to another site' }
    current = outcome.response.redirect
  }
  return { kind: 'skipped', reason: 'It redirects too often' }
}

/** No file means no rules; while the server fails, nothing may be read. */
async function readRobots(remote: Remote, settings: Settings): Promise<Robots> {
  const url = new URL('/robots.txt', settings.url).href
  const key = `robots ${url}`
  const cached = remote.memo.get(key) as Robots | undefined
  if (cached) return cached
  const found = await fetchPage<Robots>(remote, settings, ALLOWS_ALL, url, {
    bytesMax: ROBOTS_BYTES_MAX,
    async consume({ status, headers, body }) {
      if (status >= 500 || status === 429) throw busy(remote, status, headers)
      return status === 200 ? parseRobots((await collect(body)).toString('utf8')) : ALLOWS_ALL
    },
  })
  const robots = 'kind' in found ? ALLOWS_ALL : found
  remote.memo.set(key, robots)
  return robots
}

async function readSitemapAt(remote: Remote, settings: Settings, url: string, robots: Robots) {
  const found = await fetchPage(remote, settings, ALLOWS_ALL, url, {
    bytesMax: SITEMAP_BYTES_MAX,
    async consume({ status, headers, body }) {
      if (status === 404 || status === 410)
        throw new SourceFailure('not_found', `The site has no sitemap at ${url}`)
      if (status !== 200) throw busy(remote, status, headers)
      return parsed(await readSitemap(remote.orgId, body))
    },
  })
  if ('kind' in found) throw new SourceFailure('not_found', found.reason)
  if (robots.delayMs > 0) await sleep(robots.delayMs, undefined, { signal: remote.signal })
  return found
}

const SITEMAP_PROBLEMS = {
  packed: 'The sitemap can’t be unpacked, or has more than 20 MB',
  other: 'The site’s sitemap is no sitemap',
  cut: 'The site’s sitemap ends early',
}

function parsed(read: Awaited<ReturnType<typeof readSitemap>>) {
  if ('failed' in read) throw new SourceFailure('try_again', 'The site’s sitemap is too complex')
  if (read.kind === 'sitemap-problem') throw new SourceFailure('try_again', SITEMAP_PROBLEMS[read.problem])
  return { sitemaps: read.sitemaps, pages: read.pages }
}

function busy(remote: Remote, status: number, headers: Readonly<Record<string, string>>): SourceFailure {
  const seconds = Number(headers['retry-after'])
  const retryAt =
    Number.isFinite(seconds) && seconds > 0
      ? new Date(remote.now().getTime() + Math.min(seconds, 86_400) * 1000)
      : null
  return new SourceFailure('try_again', `The site answers with status ${status}`, retryAt)
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Files are UTF-8. Pages in an older encoding say so. */
async function* toUtf8(body: AsyncIterable<Uint8Array>, contentType: string): AsyncIterable<Uint8Array> {
  const decoder = decoderOf(/charset="?([\w-]+)/i.exec(contentType)?.[1])
  if (!decoder) return yield* body
  for await (const chunk of body) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

function decoderOf(charset: string | undefined): TextDecoder | null {
  if (charset === undefined || /^utf-?8$/i.test(charset)) return null
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}
