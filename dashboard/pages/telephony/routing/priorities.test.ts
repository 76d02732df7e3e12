import { expect, test } from 'vitest'
import { moveItem, prioritiesFor } from './priorities.ts'

const rulesWith = (...priorities: number[]) =>
  priorities.map((priority, index) => ({ id: String.fromCharCode(97 + index), priority }))

/** The ids in the order that the server would return after the changes. */
function orderAfter(rules: ReturnType<typeof rulesWith>, from: number, to: number) {
  const next = moveItem(rules, from, to)
  const changes = new Map(prioritiesFor(next, to).map(({ id, priority }) => [id, priority]))
  const saved = rules.map(({ id, priority }) => ({ id, priority: changes.get(id) ?? priority }))
  saved.sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1))
  return { order: saved.map(({ id }) => id), expected: next.map(({ id }) => id), changed: changes.size }
}

test('moving a rule always produces the order the member sees', () => {
  for (const rules of [
    rulesWith(10, 20, 30, 40),
    rulesWith(0, 1, 2, 3),
    rulesWith(5, 5, 5, 5),
    rulesWith(0, 0, 9, 9),
  ]) {
    for (const from of rules.keys())
      for (const to of rules.keys()) {
        const { order, expected } = orderAfter(rules, from, to)
        expect(order, `${rules.map(({ priority }) => priority).join()}: ${from} to ${to}`).toEqual(expected)
      }
  }
})

test('moving a rule changes only that rule if a priority between its neighbors is free', () => {
  expect(orderAfter(rulesWith(10, 20, 30), 2, 0).changed).toBe(1)
  expect(orderAfter(rulesWith(10, 20, 30), 0, 1).changed).toBe(1)
  expect(orderAfter(rulesWith(10, 20, 30), 0, 2).changed).toBe(1)
})
