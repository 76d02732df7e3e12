import { expect, test } from 'vitest'
import { deriveTitle } from './change.ts'

test.each([
  ['Hello\nthere', 'Hello'],
  ['```script\nsay hi\n```', 'say hi'],
  ['~~~~js\n\n~~~\nlet a\n~~~~\n\nWhat does this do?\n', 'What does this do?'],
  ['```\nnever closed', 'never closed'],
  ['```', '```'],
  ['Use ```x``` here', 'Use ```x``` here'],
  [`${'word '.repeat(30)}`, `${'word '.repeat(16).trim()}…`],
])('%j has the title %j', (content, title) => {
  expect(deriveTitle(content)).toBe(title)
})
