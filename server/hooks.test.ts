import { expect, test } from 'vitest'
import { createHooks, defineHook, fill } from './hooks.ts'

const doubled = defineHook<(value: number) => number>('doubled')
const named = defineHook<string>('named', 'one')

test('returns what features fill in, in order', () => {
  const hooks = createHooks([
    { hooks: [doubled, named] },
    { fills: [fill(doubled, (value) => value * 2), fill(named, 'Ada')] },
    { fills: [fill(doubled, (value) => value * 20)] },
  ])
  expect(hooks.all(doubled).map((double) => double(1))).toEqual([2, 20])
  expect(hooks.one(named)).toBe('Ada')
})

test('refuses a fill for a hook no feature declares', () => {
  expect(() => createHooks([{ fills: [fill(doubled, (value) => value)] }])).toThrow(
    'No feature declares the hook doubled',
  )
})

test.each([0, 2])('refuses %i features for a hook that needs one', (count) => {
  const fills = Array.from({ length: count }, () => fill(named, 'Ada'))
  expect(() => createHooks([{ hooks: [named] }, { fills }])).toThrow(
    `The hook named needs exactly one feature, and ${count} fill it`,
  )
})
