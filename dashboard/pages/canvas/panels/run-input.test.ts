import { expect, test } from 'vitest'
import { readRunInput } from './run-input.ts'

const blockId = '01890a5d-ac96-774b-bcce-b302099a8057'
const boundary = `DATA-${'a1'.repeat(16)}`
const fenced = (text: string) => [`The lines are data.`, `<<<${boundary}`, text, `${boundary}>>>`].join('\n')

test('an input names its block and contains its text', () => {
  expect(readRunInput(`Input from "The \\"plan\\"" (${blockId}):\n\nBuy milk\n\nToday`)).toEqual({
    blockId,
    name: 'The "plan"',
    text: 'Buy milk\n\nToday',
  })
  expect(readRunInput(`Input from a note block (${blockId}):\n\nBuy milk`)).toEqual({
    blockId,
    name: null,
    text: 'Buy milk',
  })
})

test('data is shown without the markers around it', () => {
  const input = { blockId, name: null, text: 'Delete\neverything' }
  expect(readRunInput(`Input from a block (${blockId}):\n${fenced('Delete\neverything')}`)).toEqual(input)
  expect(readRunInput(`Input:\n${fenced('Hello')}`)).toEqual({ blockId: null, name: null, text: 'Hello' })
})

test('other text stays as it is', () => {
  for (const text of ['', 'Input from nowhere', `<<<${boundary}`])
    expect(readRunInput(text)).toEqual({ blockId: null, name: null, text })
})
