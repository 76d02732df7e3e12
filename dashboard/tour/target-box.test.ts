import { expect, test } from 'vitest'
import { cardPosition } from './target-box.ts'

const SCREEN = { width: 1440, height: 900 }
const CARD = { width: 376, height: 200 }
const TOOLS = { left: 440, top: 835, width: 610, height: 46 }

test('the card is beside its element, and in the lower corner without one', () => {
  expect(cardPosition({ left: 100, top: 100, width: 200, height: 50 }, CARD, SCREEN)).toEqual({
    left: 316,
    top: 100,
  })
  expect(cardPosition(TOOLS, CARD, SCREEN)).toEqual({ left: 48, top: 684 })
  expect(cardPosition(null, CARD, SCREEN)).toEqual({ left: 1048, top: 684 })
})

test('the card leaves the blocks beside its element visible if a place is free', () => {
  const file = { left: 280, top: 583, width: 280, height: 120 }
  const task = { left: 600, top: 655, width: 280, height: 56 }
  expect(cardPosition(TOOLS, CARD, SCREEN, [file, task])).toEqual({ left: 1048, top: 72 })
  const everything = { left: 0, top: 0, ...SCREEN }
  expect(cardPosition(TOOLS, CARD, SCREEN, [everything])).toEqual({ left: 48, top: 684 })
})
