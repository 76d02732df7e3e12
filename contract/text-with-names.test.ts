import { expect, test } from 'vitest'
import { textWithNames } from './text-with-names.ts'

test.each([
  ['of letters from left to right has no invisible characters', 'Plans (1)', 'Move Plans (1) to 2 folders'],
  ['from right to left is isolated', '\u05d0\u05d1 (1)', 'Move \u2068\u05d0\u05d1 (1)\u2069 to 2 folders'],
  ['cannot end its isolation', '\u05d0\u2069\u202eb', 'Move \u2068\u05d0b\u2069 to 2 folders'],
  ['cannot turn the text around it', 'a\u202eb', 'Move ab to 2 folders'],
])('a name %s', (_, name, sentence) => expect(textWithNames`Move ${name} to ${2} folders`).toBe(sentence))
