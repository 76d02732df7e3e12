import { expect, test } from 'vitest'
import { createValueCounter } from './limit-values.ts'

const isAccepted = (text: string, chunkLength = 7) => {
  const isFew = createValueCounter(10)
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += chunkLength)
    if (!isFew(bytes.subarray(from, from + chunkLength))) return false
  return true
}

test.each([
  ['a list of few values', '[1,2,3,4,5,6,7,8,9,10]'],
  ['marks in strings', JSON.stringify(['a,b,[{,'.repeat(20), '\\', '"]{,,'.repeat(20)])],
  ['events with few values each', 'data: [1,2,3,4]\n\n'.repeat(20)],
  ['events that end their lines differently', 'event: a\r\ndata: [1,2,3]\r\n\r\ndata: [1,2,3]\r\r'.repeat(9)],
])('%s are accepted', (_name, text) => {
  expect(isAccepted(text)).toBe(true)
  expect(isAccepted(text, 1)).toBe(true)
})

test.each([
  ['a list', `[${'1,'.repeat(10)}1]`],
  ['nested lists', '['.repeat(11)],
  ['a list with empty lines', '[1,\n\n'.repeat(6)],
  ['a list with empty lines and colons', '{"a"\n:1,\n\n'.repeat(6)],
  ['an event of several lines', 'data: [1,\ndata: 2,\n'.repeat(6)],
  ['an event after an open string', `data: "\r\rdata: [${'1,'.repeat(10)}1]\r\r`],
])('%s with more values is refused', (_name, text) => {
  expect(isAccepted(text)).toBe(false)
  expect(isAccepted(text, 1)).toBe(false)
})
