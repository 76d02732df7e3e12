import { describe, expect, test } from 'vitest'
import { readCutList } from './cut-list.ts'

const LIST = ['one, two', { name: 'a', tags: ['x', 'y'] }, ['p', 'q'], 4]
const TEXT = JSON.stringify(LIST, null, 2)

describe("a list's output", () => {
  test('is whole if it is short', () => {
    expect(readCutList(TEXT)).toEqual({ items: LIST, isCut: false })
    expect(readCutList('[]')).toEqual({ items: [], isCut: false })
  })

  test('has its complete entries if it is cut anywhere', () => {
    for (let length = 1; length < TEXT.length; length++) {
      const read = readCutList(`${TEXT.slice(0, length)}\n\n[The answer is longer.]`)
      if (read === null) continue
      expect(read.isCut).toBe(true)
      expect(read.items).toEqual(LIST.slice(0, read.items.length))
    }
    const cut = TEXT.indexOf('"q"')
    expect(readCutList(TEXT.slice(0, cut))!.items).toEqual(LIST.slice(0, 2))
  })

  test('is unknown for other texts', () => {
    for (const text of ['', 'Done', '{"a": 1}', '[not json']) expect(readCutList(text)).toBeNull()
  })
})
