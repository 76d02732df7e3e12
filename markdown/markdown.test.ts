import { describe, expect, test } from 'vitest'
import { createMarkdown } from './markdown.ts'

const html = (text: string) => createMarkdown().render(text).trim()

describe('Markdown', () => {
  test.each([
    ['https://example.com/x.', '<p><a href="https://example.com/x">https://example.com/x</a>.</p>'],
    ['ada@example.com', '<p><a href="mailto:ada@example.com">ada@example.com</a></p>'],
    ['See README.md on example.com', '<p>See README.md on example.com</p>'],
    ['https://xn--80ak6aa92e.com', /">https:\/\/xn--80ak6aa92e\.com<\/a>/],
    ['https://аррӏе.com', /href="https:\/\/xn--80ak6aa92e\.com">/],
  ])('links addresses as written: %s', (text, expected) => {
    expect(html(text)).toMatch(expected)
  })

  test('keeps HTML as text', () => {
    expect(html('<b onclick="x">&lt;</b>')).toBe('<p>&lt;b onclick=&quot;x&quot;&gt;&lt;&lt;/b&gt;</p>')
  })

  test.each([
    ['quotes', '> '.repeat(100_000)],
    ['lists', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['lists in quotes', '> - '.repeat(20_000)],
  ])('keeps text nested too deeply in %s, and what follows', (_, nested) => {
    const found = html(`${nested}deep\n\nafter`)
    expect(found).toContain('deep')
    expect(found).toMatch(/<p>after<\/p>$/)
    expect(found.match(/<(blockquote|ul|li)>/g)!.length).toBeLessThanOrEqual(40)
  })
})
