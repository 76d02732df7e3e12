import { expect, test } from 'vitest'
import { mentionAt, toCommentBody, toEditableText, toMarkdown } from './comment-text.ts'

const ANN = { id: '01890000-0000-7000-8000-000000000001', name: 'Ann' }
const ANNA = { id: '01890000-0000-7000-8000-000000000002', name: 'Anna *B*' }
const BODY = `Hi @[${ANN.id}], @[${ANNA.id}]`

test('bodyOf inverts editableOf, even if one name contains another', () => {
  const text = toEditableText(BODY, [ANN, ANNA])
  expect(text).toBe('Hi @Ann, @Anna *B*')
  expect(toCommentBody(text, [ANN, ANNA])).toBe(BODY)
})

test("markdownOf escapes Markdown in mentioned members' names", () => {
  expect(toMarkdown(BODY, [ANN, ANNA])).toBe('Hi **@Ann**, **@Anna \\*B\\***')
})

test('mentionAt finds the name after an @ at the start of a word', () => {
  expect(mentionAt('Hi @An', 6)).toEqual({ from: 3, search: 'An' })
  expect(mentionAt('@Anna B', 7)).toEqual({ from: 0, search: 'Anna B' })
  expect(mentionAt('me@example', 10)).toBeNull()
  expect(mentionAt('@An, ', 5)).toBeNull()
})
