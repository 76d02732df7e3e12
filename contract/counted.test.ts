import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [0, '0 replies'],
  [1, '1 reply'],
  [1200, '1,200 replies'],
])('counted writes %i as %s', (count, text) => {
  expect(counted(count, 'reply', 'replies')).toBe(text)
})
