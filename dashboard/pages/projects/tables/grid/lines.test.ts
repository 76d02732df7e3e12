import { expect, test } from 'vitest'
import { layOut, sectionId } from './lines.ts'

const groups = [
  { key: 'open', count: 2, sums: {} },
  { key: null, count: 1, sums: {} },
  { key: { id: 'ada', title: 'Ada', missing: false }, count: 3, sums: {} },
]

const shown = (rowCount: number, collapsed: string[] = []) => {
  const lines = layOut(rowCount, groups, new Set(collapsed))
  return Array.from({ length: lines.count }, (_, line) => lines.rowOf(line) ?? lines.sectionOf(line)!.id)
}

test('each line is a row without groups', () => {
  const lines = layOut(3, null, new Set())
  expect([lines.count, lines.rowOf(2), lines.sectionOf(2)]).toEqual([3, 2, null])
})

test('a header comes before the rows of each group', () => {
  expect(shown(6)).toEqual(['"open"', 0, 1, 'null', 2, '"ada"', 3, 4, 5])
})

test('rows of a collapsed group take no lines, and keep their places among all rows', () => {
  expect(shown(6, ['"open"', sectionId(groups[1]!)])).toEqual(['"open"', 'null', '"ada"', 3, 4, 5])
})

test('rows after the last listed group follow as one group', () => {
  expect(shown(8, ['"open"', 'null', '"ada"'])).toEqual(['"open"', 'null', '"ada"', 'rest', 6, 7])
})
