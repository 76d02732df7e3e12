import { expect, test } from 'vitest'
import { localizeRule } from './server-rules.ts'

test.each([
  ['must be a public URL', 'Enter a URL that can be reached from the internet.'],
  ['must be a decimal such as 2.50', 'Enter an amount such as 2.50.'],
  ['must be a decimal from 0.01 to 999999999.99, such as "12.50"', 'Enter an amount such as 2.50.'],
  ['must be at most 40', 'Enter 40 or less.'],
  ['must be 1 to 80 characters', 'Enter 1 to 80 characters.'],
  ['must not rhyme', undefined],
])('localizeRule(%j) is %j', (rule, text) => {
  expect(localizeRule(rule)).toBe(text)
})
