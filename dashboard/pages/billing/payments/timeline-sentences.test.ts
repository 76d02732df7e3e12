import { expect, test } from 'vitest'
import { localizeStep } from './timeline-sentences.ts'

const step = (type: string, text: string) =>
  ({ type, text, at: '', userId: null, userName: null }) as unknown as Parameters<typeof localizeStep>[0]

test.each([
  'A run requested the payment',
  'Charge sent to Stripe',
  'Failed: Your card was declined',
  'A note by the approver',
])('localizeStep leaves %j unchanged in English', (text) => {
  expect(localizeStep(step('answered', text), null)).toBe(text)
})

test('localizeStep formats the mandate’s limit', () => {
  const approval = { reason: 'per_payment', message: 'The amount exceeds the limit, 5.00 usd' }
  expect(localizeStep(step('approval_requested', ''), approval as Parameters<typeof localizeStep>[1])).toBe(
    'Waiting for approval: The amount exceeds the mandate’s limit per payment, $5.00',
  )
})
