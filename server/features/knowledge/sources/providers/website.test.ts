import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseRobots } from './robots.ts'
import { readSitemap, SITEMAP_BYTES_MAX } from './sitemap.ts'

describe('robots.txt', () => {
  const allows = (text: string, path: string) => parseRobots(text).allows(path)

  test.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /a', '/a/b', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Atrium\nAllow: /', '/a', true],
    ['User-agent: other\nUser-agent: atrium\nDisallow: /x', '/x', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/docs/a.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/docs/a.pdf.html', true],
    ['User-agent: *\nDisallow: /*/private', '/x/y/private/z', false],
    ['User-agent: *\nDisallow: /a # comment', '/a', false],
    ['﻿User-agent: *\r\nDisallow: /a', '/a', false],
  ])('%j: %s is allowed: %s', (text, path, isAllowed) => {
    expect(allows(text, path)).toBe(isAllowed)
  })

  test('bounds the delay, and answers hostile patterns in linear time', () => {
    expect(parseRobots('User-agent: *\nCrawl-delay: 86400').delayMs).toBe(10_000)
    const pattern = `/${'*a'.repeat(50_000)}$`
    expect(allows(`User-agent: *\nDisallow: ${pattern}`, `/${'b'.repeat(50_000)}`)).toBe(true)
  })

  test('a rule with too many wildcards forbids more and allows nothing', () => {
    const pattern = `/a${'*a'.repeat(50)}`
    expect(allows(`User-agent: *\nDisallow: ${pattern}`, `/${'a'.repeat(20)}`)).toBe(false)
    expect(allows(`User-agent: *\nDisallow: /\nAllow: ${pattern}`, `/${'a'.repeat(100)}`)).toBe(false)
  })
})

describe('sitemap', () => {
  test('reads pages, their times and entities', async () => {
    const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>https://x.example/a?b=1&amp;c=2</loc><lastmod>2026-01-01</lastmod></url>
      <url><loc> https://x.example/b </loc></url></urlset>`
    expect(await readSitemap(Buffer.from(xml))).toEqual({
      sitemaps: [],
      pages: [
        { url: 'https://x.example/a?b=1&c=2', lastModified: '2026-01-01' },
        { url: 'https://x.example/b', lastModified: null },
      ],
    })
  })

  test('has at most 50,000 pages', async () => {
    const line = 'https://x.example/a\n'
    expect((await readSitemap(Buffer.from(line.repeat(60_000)))).pages).toHaveLength(50_000)
    const entries = `<url><loc>${line.trim()}</loc></url>`.repeat(60_000)
    const { pages } = await readSitemap(Buffer.from(`<urlset>${entries}</urlset>`))
    expect(pages).toHaveLength(50_000)
  })

  test('unpacks gzip, and refuses a bomb', async () => {
    const pack = promisify(gzip)
    const index = '<sitemapindex><sitemap><loc>https://x.example/1.xml</loc></sitemap></sitemapindex>'
    expect(await readSitemap(await pack(index))).toEqual({ sitemaps: ['https://x.example/1.xml'], pages: [] })
    const bomb = await pack(Buffer.alloc(SITEMAP_BYTES_MAX + 1))
    await expect(readSitemap(bomb)).rejects.toThrow('20 MB')
  })
})
