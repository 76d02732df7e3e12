import { describe, expect, test } from 'vitest'
import { labelIndexes, niceScale } from './scale.ts'

describe('niceScale', () => {
  test('has round ticks that include the highest value', () => {
    expect(niceScale(283)).toEqual({ max: 300, ticks: [0, 100, 200, 300] })
    expect(niceScale(300)).toEqual({ max: 300, ticks: [0, 100, 200, 300] })
    expect(niceScale(0.07).ticks).toEqual([0, 0.02, 0.04, 0.06, 0.08])
    expect(niceScale(4).ticks).toEqual([0, 1, 2, 3, 4])
    expect(niceScale(0.3).ticks).toEqual([0, 0.1, 0.2, 0.3])
  })

  test('goes from 0 to 1 without values', () => {
    expect(niceScale(0)).toEqual({ max: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] })
  })
})

describe('labelIndexes', () => {
  test('keeps the first and the last', () => {
    expect(labelIndexes(30, 5)).toEqual([0, 7, 15, 22, 29])
    expect(labelIndexes(3, 5)).toEqual([0, 1, 2])
    expect(labelIndexes(10, 1)).toEqual([0])
    expect(labelIndexes(0, 5)).toEqual([])
  })
})
