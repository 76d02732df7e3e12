import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Answer, Markdown } from './markdown.tsx'
import { safeHref } from './safe-href.ts'

const html = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { text }))
    .replace(/^<div class="markdown">|<\/div>$/g, '')
    .replace(/<div class="code-block.*?<pre[^>]*>(.*?)<\/pre><\/div>/gs, '<pre>$1</pre>')

describe('Markdown', () => {
  test.each([
    [
      '# Plan\nFirst *this*, then **that**.',
      '<h2 class="text-20">Plan</h2><p>First <em>this</em>, then <strong>that</strong>.</p>',
    ],
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    [
      '- a\n- b\n  - c\n\n3. x\n4. y',
      '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol start="3"><li>x</li><li>y</li></ol>',
    ],
    ['> said\n> twice', '<blockquote><p>said\ntwice</p></blockquote>'],
    ['```js\na < b\n\n# no heading\n```\nend', '<pre><code>a &lt; b\n\n# no heading</code></pre><p>end</p>'],
    [
      'use `a*b*c` and 2*3*4 and snake_case_name',
      '<p>use <code>a*b*c</code> and 2<em>3</em>4 and snake_case_name</p>',
    ],
    ['~~old~~ \\*new\\*\n\n---', '<p><del>old</del> *new*</p><hr/>'],
    ['```\nnever closed', '<pre><code>never closed</code></pre>'],
    ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['a  \nb\n\n2. c\n   d', '<p>a\nb</p><ol start="2"><li>c\nd</li></ol>'],
    [
      '| a | b |\n| :-: | --: |\n| `x\\|y` | |',
      '<div class="markdown-table" tabindex="0"><table><thead><tr><th class="text-center">a</th><th class="text-right">b</th></tr></thead><tbody><tr><td class="text-center"><code>x|y</code></td><td class="text-right"></td></tr></tbody></table></div>',
    ],
  ])('renders %j', (text, expected) => {
    expect(html(text)).toBe(expected)
  })

  test('never skips a heading level', () => {
    expect(html('### a\n# b\n### c').match(/<h\d/g)).toEqual(['<h2', '<h2', '<h3'])
  })

  test('renders task states', () => {
    expect(html('- [x] ship\n- [ ] rest')).toMatch(/aria-label="Done:".*ship.*aria-label="To do:".*rest/)
  })

  test("renders a task's text after its mark, including between blank lines", () => {
    expect(html('- [ ] ship\n\n- [x] rest')).toMatch(
      /^<ul><li class="list-none"><p><span role="img" aria-label="To do:"[^>]*><\/span>ship<\/p>/,
    )
  })

  test('never nests a link in a link', () => {
    const found = html('[![logo](https://a.example/l.png) https://b.example](https://c.example/)')
    expect(found.match(/<a /g)).toHaveLength(1)
    expect(found).toContain('>logo https://b.example</a>')
  })

  test('opens links in a new tab without opener or referrer', () => {
    const link = (href: string, text: string) =>
      `<a target="_blank" rel="noreferrer noopener" href="${href}">${text}</a>`
    expect(html('see [the **plan**](https://example.com/a?b=1) or https://example.com/x.')).toBe(
      `<p>see ${link('https://example.com/a?b=1', 'the <strong>plan</strong>')} or ${link('https://example.com/x', 'https://example.com/x')}.</p>`,
    )
  })
})

describe('untrusted Markdown', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '**<b onclick=alert(1)>x</b>**',
    '```\n</code><script>alert(1)</script>\n```',
    '> <iframe src="https://example.com"></iframe>',
    '[<svg onload=alert(1)>](https://example.com)',
  ])('keeps %j as text', (text) => {
    expect(html(text)).not.toMatch(/<(script|img|iframe|svg|b|a href="j)[ >]/i)
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    '//example.com',
    '/api/v1/projects',
  ])('does not link %j', (href) => {
    expect(safeHref(href)).toBe(undefined)
    expect(html(`[x](${href})`)).not.toContain('<a')
  })

  test.each([
    ['*', '<hr/>'],
    ['_', '<hr/>'],
    ['- ', '<hr/>'],
    ['`', '<pre><code></code></pre>'],
    ['~~', '<pre><code></code></pre>'],
    ['[', `<p>${'['.repeat(2000)}</p>`],
    ['](', `<p>${']('.repeat(2000)}</p>`],
    ['\\', `<p>${'\\'.repeat(1000)}</p>`],
    [
      '> ',
      `${'<blockquote>'.repeat(38)}<p>${'&gt; '.repeat(1962).trimEnd()}</p>${'</blockquote>'.repeat(38)}`,
    ],
  ])('renders 2,000 repetitions of %j', (mark, expected) => {
    expect(html(mark.repeat(2000))).toBe(expected)
  })

  test('renders 2,000 nested, unclosed emphases without losing a letter', () => {
    expect(html('**a*'.repeat(2000)).replace(/<[^>]+>|\*/g, '')).toBe('a'.repeat(2000))
  })
})

describe('an image in an answer', () => {
  const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
  const answer = (text: string) => renderToStaticMarkup(createElement(Answer, { text }))

  test.each([`/files?view=${ID}`, `/api/v1/files/${ID}`, `/api/v1/files/${ID}?download=true&inline=true`])(
    'shows the workspace file %s',
    (href) => {
      expect(answer(`![Chart](${href})`)).toContain(
        `<img src="/api/v1/files/${ID}?download=true&amp;inline=true" alt="Chart"`,
      )
    },
  )

  test.each([
    'https://evil.example/p.png?secret=1',
    `https://evil.example/api/v1/files/${ID}`,
    `//evil.example/api/v1/files/${ID}`,
    `/api/v1/files/${ID}?x=secret`,
    `/api/v1/files/${ID}/../../sessions`,
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
  ])('causes no request to %s', (href) => {
    expect(answer(`![Chart](${href})`)).not.toMatch(/<img|src=|url\(/)
  })

  test("becomes a labeled link if it's on another host", () => {
    const html = answer('![Sales by region](https://charts.example/q3.png)')
    expect(html).toContain('href="https://charts.example/q3.png"')
    expect(html.replace(/<!-- -->/g, '')).toContain('Open image: Sales by region (on charts.example)')
  })
})

test("an answer shows a link's destination unless its text does", () => {
  const text = (markdown: string) =>
    renderToStaticMarkup(createElement(Answer, { text: markdown })).replace(/<[^>]*>/g, '')
  expect(text('[docs](https://evil.example/x)')).toBe('docs (evil.example)')
  expect(text('[write](mailto:ada@example.com)')).toBe('write (ada@example.com)')
  for (const visible of ['https://example.com/x', 'https://example.com', 'ada@example.com']) {
    expect(text(visible)).toBe(visible)
  }
})

test("a direction override in link or image text doesn't reverse the host", () => {
  const html = (text: string) =>
    renderToStaticMarkup(createElement(Answer, { text })).replace(/<!-- -->/g, '')
  expect(html('[\u202edetails](https://moc.elgoog.evil.example/x)')).toContain(
    '<bdi>\u202edetails</bdi></a><span class="text-12 text-neutral-11"> <bdi dir="ltr">(moc.elgoog.evil.example)</bdi>',
  )
  expect(html('![\u202echart](https://evil.example/x)')).toContain('Open image: chart (on evil.example)')
})
