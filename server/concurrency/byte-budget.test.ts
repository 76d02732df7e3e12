import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

const createBudget = () => createByteBudget({ name: 'bodies', bytesPerKeyMax: 100, bytesMax: 150 })

test("a byte budget refuses a key's bytes over its limit and accepts another key's", () => {
  const budget = createBudget()
  const busy = budget.hold('busy')
  busy.add(100)
  expect(() => busy.add(1)).toThrow(expect.objectContaining({ name: 'Busy', code: 'RATE_LIMITED' }))
  budget.hold('other').add(50)
  expect(budget.size()).toEqual({ bytes: 150, keys: 2 })
})

test('a byte budget refuses bytes over the total limit with UNAVAILABLE', () => {
  const budget = createBudget()
  budget.hold('one').add(90)
  const third = budget.hold('third')
  third.add(60)
  expect(() => third.add(1)).toThrow(
    expect.objectContaining({ name: 'Busy', code: 'UNAVAILABLE', retryAfterS: 5 }),
  )
  expect(() => budget.check('third', 1)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
})

test('a byte budget removes a key when its bytes are released, and ignores a second release', () => {
  const budget = createBudget()
  const held = budget.hold('busy')
  held.add(100)
  held.release()
  held.release()
  expect(budget.size()).toEqual({ bytes: 0, keys: 0 })
})
