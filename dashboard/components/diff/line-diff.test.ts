import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const SIGNS = { same: ' ', removed: '-', added: '+' }
const diff = (before: string, after: string) =>
  lineDiff(before, after).map((line) =>
    line.kind === 'gap' ? `@${line.count}` : `${SIGNS[line.kind]}${line.text}`,
  )

test('lineDiff marks changed lines between common lines', () => {
  expect(diff('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toEqual([' a', '-b', '+x', ' c', '+y', ' d'])
})

test('lineDiff shows two lines around a change and counts the rest', () => {
  const lines = Array.from({ length: 20 }, (_, index) => String(index))
  const changed = lines.with(10, 'x')
  expect(diff(lines.join('\n'), changed.join('\n'))).toEqual([
    '@8',
    ' 8',
    ' 9',
    '-10',
    '+x',
    ' 11',
    ' 12',
    '@7',
  ])
})

test('lineDiff treats empty text as no lines and ignores a trailing newline', () => {
  expect(diff('', 'a\nb\n')).toEqual(['+a', '+b'])
  expect(diff('a\n', '')).toEqual(['-a'])
  expect(diff('', '')).toEqual([])
})

test('lineDiff compares texts with no common line as one block, whatever their length', () => {
  const text = (prefix: string) => Array.from({ length: 2000 }, (_, index) => `${prefix}${index}`).join('\n')
  const lines = lineDiff(text('a'), text('b'))
  expect([lines.length, lines[0], lines[1999], lines[2000]]).toEqual([
    4000,
    { kind: 'removed', text: 'a0' },
    { kind: 'removed', text: 'a1999' },
    { kind: 'added', text: 'b0' },
  ])
})
