import { expect, test } from 'vitest'
import { createHooks, defineHook, fill } from './hooks.ts'

const greeted = defineHook<(name: string) => string>('greeted')

test('a hook has the behaviours that features add, in their order', () => {
  const hooks = createHooks()
  expect(hooks.of(greeted)).toEqual([])
  hooks.add([fill(greeted, (name) => `Hello, ${name}`)])
  hooks.add([fill(greeted, (name) => `Welcome, ${name}`)])
  expect(hooks.of(greeted).map((greet) => greet('Ada'))).toEqual(['Hello, Ada', 'Welcome, Ada'])
})

test('hooks of two apps are separate, and hooks with the same name too', () => {
  const hooks = createHooks()
  hooks.add([fill(greeted, () => 'Hello')])
  expect(createHooks().of(greeted)).toEqual([])
  expect(hooks.of(defineHook<() => string>('greeted'))).toEqual([])
})

test('a hook for exactly one feature refuses none and several', () => {
  const hooks = createHooks()
  expect(() => hooks.one(greeted)).toThrow('The hook "greeted" needs exactly one feature, and 0 fill it')
  hooks.add([fill(greeted, (name) => name)])
  expect(hooks.one(greeted)('Ada')).toBe('Ada')
  hooks.add([fill(greeted, (name) => name)])
  expect(() => hooks.one(greeted)).toThrow('and 2 fill it')
})
