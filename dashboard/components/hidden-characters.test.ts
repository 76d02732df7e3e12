import { expect, test } from 'vitest'
import { escapeHidden, showAddresses, showHidden } from './hidden-characters.ts'

test.each([
  ['a\u202eb', 'a[U+202E]b'],
  ['pay\u200bpal', 'pay[U+200B]pal'],
  ['pay\u200dpal', 'pay[U+200D]pal'],
  ['a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
  ['x\u{e0041}y', 'x[U+E0041]y'],
  ['a\u3164b\u2800', 'a[U+3164]b[U+2800]'],
  ['a\ufe0f\ufe0e', 'a\ufe0f[U+FE0E]'],
  ['a\u0007b\rc', 'a[U+0007]b[U+000D]c'],
])('shows the hidden character in %j', (text, shown) => expect(showHidden(text)).toBe(shown))

test.each([
  'Two lines\n\tand a tab',
  'Grüße an Zoë',
  '👩‍👩‍👧 ❤️',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'می‌خواهم',
])('leaves %j as it is', (text) => expect(showHidden(text)).toBe(text))

test('names a domain with other letters in ASCII', () => {
  expect(showAddresses('boss@ex\u0430mple.com, <b@example.com>')).toBe(
    'boss@ex\u0430mple.com (xn--exmple-4nf.com), <b@example.com>',
  )
})

test('escapes hidden characters in JSON without changing its value', () => {
  const value = { to: 'a\u202eb\u{e0041}', text: 'Grüße\n👩‍👧' }
  const json = escapeHidden(JSON.stringify(value, null, 2))
  expect(json).toContain('"a\\u202eb\\udb40\\udc41"')
  expect(JSON.parse(json)).toEqual(value)
})
