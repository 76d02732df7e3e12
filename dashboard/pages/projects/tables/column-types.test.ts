import { expect, test } from 'vitest'
import { editChoices } from './column-types.ts'

const choices = [
  { id: 'open', name: 'Open', color: 'red' as const },
  { id: 'done', name: 'Done' },
]

test('an edited line renames its choice, so cells keep it', () => {
  expect(editChoices(choices, ['Started', 'Done'])).toEqual([
    { id: 'open', name: 'Started', color: 'red' },
    { id: 'done', name: 'Done' },
  ])
})

test('lines are moved, added and removed', () => {
  expect(editChoices(choices, ['Done', 'Open', 'Late'])).toEqual([choices[1], choices[0], { name: 'Late' }])
  expect(editChoices(choices, ['Done'])).toEqual([choices[1]])
  expect(editChoices(choices, ['Late', 'Done', 'Later'])).toEqual([
    { name: 'Late' },
    choices[1],
    { name: 'Later' },
  ])
})
