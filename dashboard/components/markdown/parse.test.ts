import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGrowingParser, parseMarkdown } from './parse.ts'

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

test('parses growing text like the whole text, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }), (pieces) => {
      const parse = createGrowingParser()
      const text = pieces.join('')
      for (let end = 1; end <= text.length; end++) {
        expect(parse(text.slice(0, end))).toEqual(parseMarkdown(text.slice(0, end)))
      }
    }),
    { numRuns: 500, examples: [[['[a]: /b', '\n', '[a]']]] },
  )
})

test('keeps finished blocks of a growing text unchanged', () => {
  const parse = createGrowingParser()
  const before = parse('# Plan\n\nFirst\n\nSecond\n\nThird')
  const after = parse('# Plan\n\nFirst\n\nSecond\n\nThird and more\n\n- a')
  expect(after.map((part, index) => part === before[index])).toEqual([true, true, false, false, false])
})

test('starts over for a different text', () => {
  const parse = createGrowingParser()
  parse('# Plan\n\nFirst\n\nSecond')
  expect(parse('Other\n\ntext')).toEqual(parseMarkdown('Other\n\ntext'))
})
