import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readSitemap, SITEMAP_BYTES_MAX } from './sitemap.ts'

async function pagesIn(text: string) {
  const read = await readSitemap(Buffer.from(text))
  return read.kind === 'sitemap' ? read.pages : []
}

describe('sitemap', () => {
  test('reads pages, their times and entities', async () => {
    const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>https://x.example/a?b=1&amp;c=2</loc><lastmod>2026-01-01</lastmod></url>
      <url><loc> https://x.example/b </loc></url></urlset>`
    expect(await readSitemap(Buffer.from(xml))).toEqual({
      kind: 'sitemap',
      sitemaps: [],
      pages: [
        { url: 'https://x.example/a?b=1&c=2', lastModified: '2026-01-01' },
        { url: 'https://x.example/b', lastModified: null },
      ],
    })
  })

  test('has at most 50,000 pages', async () => {
    const line = 'https://x.example/a\n'
    expect(await pagesIn(line.repeat(60_000))).toHaveLength(50_000)
    const entries = `<url><loc>${line.trim()}</loc></url>`.repeat(60_000)
    expect(await pagesIn(`<urlset>${entries}</urlset>`)).toHaveLength(50_000)
  })

  test('unpacks gzip, and refuses a bomb', async () => {
    const pack = promisify(gzip)
    const index = '<sitemapindex><sitemap><loc>https://x.example/1.xml</loc></sitemap></sitemapindex>'
    expect(await readSitemap(await pack(index))).toEqual({
      ...{ kind: 'sitemap', sitemaps: ['https://x.example/1.xml'], pages: [] },
    })
    const bomb = await pack(Buffer.alloc(SITEMAP_BYTES_MAX + 1))
    expect(await readSitemap(bomb)).toEqual({ kind: 'sitemap-problem', problem: 'packed' })
  })

  test.each([
    ['<html><body>Not found</body></html>', 'other'],
    ['', 'other'],
    ['<urlset><url><loc>https://x.example/a</loc></url>', 'cut'],
  ])('refuses %j', async (text, problem) => {
    expect(await readSitemap(Buffer.from(text))).toEqual({ kind: 'sitemap-problem', problem })
  })
})
