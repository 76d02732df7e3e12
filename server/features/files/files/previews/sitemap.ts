import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Sitemap, SitemapProblem } from './job.ts'

/** Also of an unpacked one. The protocol allows 50 MB. */
export const SITEMAP_BYTES_MAX = 20_000_000

/** As many as the protocol allows. */
const ENTRIES_MAX = 50_000

const inflate = promisify(gunzip)

/** Unpacks gzip by its first bytes, whatever its name says. */
export async function readSitemap(bytes: Uint8Array): Promise<Sitemap | SitemapProblem> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isPacked ? await unpack(bytes) : bytes
  return plain === null ? problem('packed') : parseSitemap(new TextDecoder().decode(plain))
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    return await inflate(bytes, { maxOutputLength: SITEMAP_BYTES_MAX })
  } catch {
    return null
  }
}

/** Splits at tags instead of matching across the text, so the time is linear. Plain lists of URLs count too. */
function parseSitemap(xml: string): Sitemap | SitemapProblem {
  const root = /<((?:\w+:)?(?:urlset|sitemapindex))[\s>]/.exec(xml.slice(0, 10_000))?.[1]
  if (root === undefined) {
    const lines = xml.split(/\r?\n/, ENTRIES_MAX).flatMap((line) => line.trim() || [])
    if (lines.length === 0 || !lines.every(isUrl)) return problem('other')
    return { kind: 'sitemap', sitemaps: [], pages: lines.map((url) => ({ url, lastModified: null })) }
  }
  if (!xml.includes(`</${root}>`) && !xml.trimEnd().endsWith('/>')) return problem('cut')
  const entries = (tag: string) => xml.split(new RegExp(`<${tag}\\s*>`), ENTRIES_MAX + 1).slice(1)
  return {
    kind: 'sitemap',
    sitemaps: entries('sitemap').flatMap((entry) => contentOf(entry, 'loc') ?? []),
    pages: entries('url').flatMap((entry) => {
      const url = contentOf(entry, 'loc')
      return url === null ? [] : [{ url, lastModified: contentOf(entry, 'lastmod') }]
    }),
  }
}

const problem = (reason: SitemapProblem['problem']): SitemapProblem => ({
  kind: 'sitemap-problem',
  problem: reason,
})

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
