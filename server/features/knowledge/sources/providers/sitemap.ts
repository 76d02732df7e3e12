import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SourceFailure } from './source-failure.ts'

/** Also of an unpacked one. The protocol allows 50 MB. */
export const SITEMAP_BYTES_MAX = 20_000_000

/** As many as the protocol allows. */
const ENTRIES_MAX = 50_000

export interface Sitemap {
  /** Further sitemaps, if this is an index. */
  sitemaps: string[]
  pages: { url: string; lastModified: string | null }[]
}

const inflate = promisify(gunzip)

/** Unpacks gzip by its first bytes, whatever its name says. */
export async function readSitemap(bytes: Buffer): Promise<Sitemap> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isPacked ? await unpack(bytes) : bytes
  return parseSitemap(plain.toString('utf8'))
}

async function unpack(bytes: Buffer): Promise<Buffer> {
  try {
    return await inflate(bytes, { maxOutputLength: SITEMAP_BYTES_MAX })
  } catch {
    throw new SourceFailure('try_again', 'The sitemap can’t be unpacked, or has more than 20 MB')
  }
}

/** Splits at tags instead of matching across the text, so the time is linear. Plain lists of URLs count too. */
export function parseSitemap(xml: string): Sitemap {
  const root = /<((?:\w+:)?(?:urlset|sitemapindex))[\s>]/.exec(xml.slice(0, 10_000))?.[1]
  if (root === undefined) {
    const lines = xml.split(/\r?\n/, ENTRIES_MAX).flatMap((line) => line.trim() || [])
    if (lines.length === 0 || !lines.every(isUrl))
      throw new SourceFailure('try_again', 'The site’s sitemap is no sitemap')
    return { sitemaps: [], pages: lines.map((url) => ({ url, lastModified: null })) }
  }
  // Half a sitemap would look like deleted pages.
  if (!xml.includes(`</${root}>`) && !xml.trimEnd().endsWith('/>'))
    throw new SourceFailure('try_again', 'The site’s sitemap ends early')
  const entries = (tag: string) => xml.split(new RegExp(`<${tag}\\s*>`), ENTRIES_MAX + 1).slice(1)
  return {
    sitemaps: entries('sitemap').flatMap((entry) => contentOf(entry, 'loc') ?? []),
    pages: entries('url').flatMap((entry) => {
      const url = contentOf(entry, 'loc')
      return url === null ? [] : [{ url, lastModified: contentOf(entry, 'lastmod') }]
    }),
  }
}

const isUrl = (line: string) => /^https?:\/\/\S+$/.test(line)

function contentOf(entry: string, tag: string): string | null {
  const start = entry.indexOf(`<${tag}>`)
  if (start === -1) return null
  const end = entry.indexOf('</', start)
  if (end === -1 || end - start > 4000) return null
  const value = entry
    .slice(start + tag.length + 2, end)
    .replace('<![CDATA[', '')
    .replace(']]>', '')
    .trim()
  return value === '' ? null : decode(value)
}

const ENTITIES: readonly [string, string][] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
]

const decode = (text: string) =>
  ENTITIES.reduce((value, [name, plain]) => value.replaceAll(name, plain), text)
