import { describe, expect, test } from 'vitest'
import { parseRobots } from './robots.ts'

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
