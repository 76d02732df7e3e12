import { expect, test } from 'vitest'
import { localizeProblem } from './problem-sentences.ts'

test.each([
  'The connection for +4930123456 was revoked',
  'No rule answers calls and text messages to +4930123456',
  'The rule “Night”: its agent is archived',
  '1 call in the last day ended because a budget was reached',
  '3 text messages in the last day did not reach the recipient',
  'Something a newer server says',
])('localizeProblem leaves %j unchanged in English', (text) => {
  expect(localizeProblem(text)).toBe(text)
})
