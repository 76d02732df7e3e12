import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.ts'

test('htmlToText returns the visible text with headings, lists and absolute links', () => {
  const html = `<!doctype html><html><head><title>A &amp; B</title><style>p{}</style><script>if (a < b) "</p>"</script></head>
    <body><!-- hidden --><h1>Top</h1><p>One   two<br>three &lt;b&gt; &#8364;</p>
    <ul><li>first</li><li><a href="/x?a=1&amp;b=2" title="a > b">link</a></li></ul>
    <table><tr><td>1</td><td>2</td></tr></table><a href="javascript:alert(1)">no</a> 1 < 2</body></html>`
  expect(htmlToText(html, 'https://example.com/page/')).toEqual({
    title: 'A & B',
    text: '# Top\n\nOne two\nthree <b> €\n\n- first\n- [link](https://example.com/x?a=1&b=2)\n\n1\t2\n\nno 1 < 2',
  })
})

test.each([
  ['an element without an end', '<script>'.repeat(100_000)],
  ['comments without an end', '<!--'.repeat(200_000)],
  ['quotes without an end', '<a href="'.repeat(100_000)],
  ['tags without an end', '<a '.repeat(300_000)],
  ['brackets', '<'.repeat(1_000_000)],
  ['empty cells', `${'<td></td>'.repeat(100_000)}x`],
  ['spaces', `${' \t'.repeat(500_000)}x`],
  ['open elements', '<div>'.repeat(200_000)],
  ['entities', '&#x41;&amp;&bogus;'.repeat(50_000)],
])('htmlToText finishes for a page with %s', (_name, html) => {
  expect(htmlToText(html).text.length).toBeLessThanOrEqual(html.length)
})

test('htmlToText replaces references to control characters and surrogate halves', () => {
  const { text } = htmlToText('a&#0;b&#xD800;c&#x1F600;&#9999999;')
  expect(text).toBe('a b c😀')
})
