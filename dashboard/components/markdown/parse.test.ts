import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createGrowingParser, markdown, parseMarkdown } from './parse.ts'

const PIECES = [
  ...[
    '\n',
    '\n\n',
    ' ',
    '  ',
    '    ',
    '\r\n',
    'a',
    'word ',
    '*',
    '**',
    '_',
    '`',
    '```',
    '~~~',
    '|',
    '-',
    '---',
    '|-|-|',
  ],
  ...[
    '| a | b |',
    '- ',
    '1. ',
    '2) ',
    '> ',
    '#',
    '# ',
    '=',
    '[a]',
    '[a]: /b',
    '[x](https://a.b)',
    '- [ ] ',
    '$',
    '$$',
    '\\[',
    '\\]',
    '```math',
    '<',
    '\\',
  ],
]

/** Without link definitions, which change the text above them. */
const PIECES_IN_PLACE = PIECES.filter((piece) => piece !== '[a]: /b')

function growBy(text: string, units: number) {
  const parser = createGrowingParser()
  for (let end = units; end < text.length; end += units) parser.grow(text.slice(0, end))
  parser.grow(text)
  return parser
}

test('parses growing text like the whole text, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES_IN_PLACE), { maxLength: 25 }), (pieces) => {
      const parser = createGrowingParser()
      // A colon could make a definition.
      const text = pieces.join('').replaceAll(']:', '] :')
      for (let end = 1; end <= text.length; end++) {
        expect(parser.grow(text.slice(0, end))).toEqual(parseMarkdown(text.slice(0, end)))
      }
    }),
    { numRuns: 500 },
  )
})

test('parses growing text with link definitions like the whole text once it settles', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES, '[b]: /c "', '"', '[b]', '\n\n[a]: /d\n\n'), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat({ max: 100 }),
      (pieces, units, pause) => {
        const text = pieces.join('')
        const parser = createGrowingParser()
        for (let end = units; end < text.length; end += units) {
          parser.grow(text.slice(0, end))
          if (end === pause) {
            expect(parser.settle(text.slice(0, end))).toEqual(parseMarkdown(text.slice(0, end)))
          }
        }
        expect(parser.settle(text)).toEqual(parseMarkdown(text))
      },
    ),
    {
      numRuns: 500,
      examples: [
        [['[a]: /b', '\n', '[a]'], 1, 3],
        [['[a]: /b\n"x\n===\ny\nz\n', '"'], 1, 22],
      ],
    },
  )
})

test('links growing text to a definition above it', () => {
  const text = '[a]: https://a.example\n\nFirst\n\nSecond\n\nSee [a].\n'
  expect(growBy(text, 1).grow(text)).toEqual(parseMarkdown(text))
})

test.each([
  ['definitions', (n: number) => `[a${n}]: https://a.example/${n}\n`],
  ['definitions between paragraphs', (n: number) => `[a${n}]: /a\n\nSee [a${n}] and [a${n + 1}].\n\n`],
  ['a list', (n: number) => `- Item ${n} with [a](https://a.example)\n`],
  ['a table', (n: number) => (n === 0 ? '| a | b |\n|-|-|\n' : `| ${n} | \`b\` and a few more words |\n`)],
])('parses each character of %s a bounded number of times', (_, lineOf) => {
  const parse = vi.spyOn(markdown, 'parse')
  const unitsParsed = (lines: number) => {
    parse.mockClear()
    const text = Array.from({ length: lines }, (_each, n) => lineOf(n)).join('')
    const parser = growBy(text, 32)
    const units = parse.mock.calls.reduce((sum, [source]) => sum + source.length, 0) / text.length
    expect(parser.settle(text)).toEqual(parseMarkdown(text))
    return units
  }
  // Whole parsing would double the work for each character.
  expect(unitsParsed(400)).toBeLessThan(unitsParsed(200) * 1.5)
  parse.mockRestore()
})

test('keeps finished blocks of a growing text unchanged', () => {
  const parser = createGrowingParser()
  const before = parser.grow('# Plan\n\nFirst\n\nSecond\n\nThird')
  const text = '# Plan\n\nFirst\n\nSecond\n\nThird and more\n\n- a'
  const after = parser.grow(text)
  expect(after.map((part, index) => part === before[index])).toEqual([true, true, false, false, false])
  expect(parser.settle(text)).toBe(after)
})

test('starts over for a different text', () => {
  const parser = createGrowingParser()
  parser.grow('# Plan\n\nFirst\n\nSecond')
  expect(parser.grow('Other\n\ntext')).toEqual(parseMarkdown('Other\n\ntext'))
})
