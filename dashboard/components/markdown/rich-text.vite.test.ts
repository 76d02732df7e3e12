import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { highlight } from './highlight.ts'
import { parseMarkdown } from './parse.ts'
import { readFormula } from './read-formula.ts'

describe('a formula', () => {
  const html = (tex: string, isDisplay = false) => {
    const formula = readFormula(tex, isDisplay)
    return formula === null ? null : renderToStaticMarkup(formula)
  }

  test('is MathML without style, class or annotation', () => {
    expect(html('x^2')).toBe(
      '<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></semantics></math>',
    )
    expect(html('\\frac{a}{b} \\cancel{c} \\boxed{d} \\textcolor{red}{e}', true)).not.toMatch(
      /\s(style|class)=|annotation/,
    )
  })

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/p.png}',
    '\\htmlStyle{background:url(https://evil.example)}{x}',
    '\\htmlData{a=b}{x}',
    '\\htmlId{root}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\textcolor{url(https://evil.example)}{x}',
  ])('has no link, image or request in hostile source %j', (tex) => {
    const tags = (html(tex) ?? '').match(/<[^>]*>/g)?.join('') ?? ''
    expect(tags).not.toMatch(/<(img|a|mglyph)\b|\s(href|src|style|id|data-\w+)=|url\(/)
  })

  test.each([
    ['macros that expand forever', '\\def\\a{\\a\\a}\\a'],
    ['macros that double', `\\def\\a{x}${'\\edef\\a{\\a\\a}'.repeat(40)}\\a`],
    ['macros that become a long text', `\\def\\a{${'x'.repeat(1000)}}${'\\a'.repeat(30)}`],
    ['deep roots', `${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}`],
    ['invalid source', '\\frac{'],
    ['long source', 'x'.repeat(5000)],
  ])('is not drawn: %s', (_, tex) => {
    expect(html(tex)).toBe(null)
  })

  test('can have macros of its own', () => {
    expect(html('\\newcommand{\\RR}{\\mathbb{R}}\\RR^n')).toContain('double-struck')
  })

  test('keeps sizes within the text', () => {
    expect(html('\\rule{1000em}{1000em}')).not.toContain('1000em')
  })
})

describe('code colors', () => {
  const text = (tokens: readonly (readonly [string, unknown])[] | null) =>
    tokens?.map(([piece]) => piece).join('')

  test.each([
    ['sql', "select * from a where b = 'c'"],
    ['xml', '<script>alert("<b>")</script><style>a{}</style>'],
    ['markdown', '# a\n```js\nlet b\n```'],
    ['json', '{"a": [1, true, null]}'],
    ['python', 'def f(x):\n    """Doc"""\n    return x + 1  # done'],
  ])('keep every letter of %s', async (language, code) => {
    const tokens = await highlight(language, code)
    expect(text(tokens)).toBe(code)
    expect(tokens!.some(([, look]) => look !== null)).toBe(true)
  })

  test('mark keywords and strings', async () => {
    expect(await highlight('sql', "select 'a'")).toEqual([
      ['select', 'keyword'],
      [' ', null],
      ["'a'", 'string'],
    ])
  })

  test.each(['brainfuck', '__proto__', 'constructor', '../../x'])('are none for %s', async (language) => {
    expect(await highlight(language, 'x')).toBe(null)
  })
})

describe('a Mermaid block', () => {
  const isClosed = (text: string) => parseMarkdown(text).map((part) => part.kind === 'code' && part.isClosed)

  test.each([
    ['```mermaid\na', [false]],
    ['```mermaid\na\n', [false]],
    ['```mermaid\na\n\n', [false]],
    ['```mermaid\na\n``', [false]],
    ['```mermaid\na\n```', [true]],
    ['```mermaid\n```', [true]],
    ['```mermaid', [false]],
    ['~~~~mermaid\na\n~~~', [false]],
    ['> ```mermaid\n> a\n> ```', [false]],
  ])('is complete once it is closed: %j', (text, expected) => {
    expect(isClosed(text)).toEqual(expected)
  })
})
