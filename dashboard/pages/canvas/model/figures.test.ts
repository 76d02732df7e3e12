import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { POINTS_MAX } from '../../../../contract/canvas/block-fields.ts'
import {
  arrowheadPath,
  distanceTo,
  drawingPath,
  fitPoints,
  type Point,
  readPoints,
  shapePath,
  simplify,
} from './figures.ts'

const point = fc.record({
  x: fc.integer({ min: -2000, max: 2000 }),
  y: fc.integer({ min: -2000, max: 2000 }),
})
const lines = fc.array(point, { minLength: 2, maxLength: 200 })

describe('drawings', () => {
  test('keep their ends and stay within the tolerance when simplified', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 50 }), (line, tolerance) => {
        const kept = simplify(line, tolerance)
        expect([kept[0], kept.at(-1)]).toEqual([line[0], line.at(-1)])
        const isNear = (each: Point) =>
          kept.some(
            (from, index) => index > 0 && distanceTo(each, kept[index - 1]!, from) <= tolerance + 1e-6,
          )
        expect(line.every(isNear)).toBe(true)
      }),
    )
  })

  test('have at most as many points as the server accepts', () => {
    const noise = Array.from({ length: 20_000 }, (_, index) => ({ x: index, y: (index * 7919) % 100 }))
    expect(simplify(noise, 0.5).length).toBeLessThanOrEqual(POINTS_MAX)
  })

  test('are stored as fractions of their box and drawn as the same line', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const { box, points } = fitPoints(line)
        expect(points.flat().every((part) => part >= 0 && part <= 1)).toBe(true)
        for (const [index, drawn] of readPoints({ ...box, metadata: { points } }).entries()) {
          expect(Math.abs(drawn.x + box.x - line[index]!.x)).toBeLessThan(1)
          expect(Math.abs(drawn.y + box.y - line[index]!.y)).toBeLessThan(1)
        }
      }),
    )
  })

  test('are drawn as far as their metadata is valid', () => {
    const pointsFor = (points: unknown) => readPoints({ width: 100, height: 10, metadata: { points } })
    expect(pointsFor('no points')).toEqual([])
    expect(pointsFor([[0, 0], 'x', [1, null], [1, 1]])).toEqual([
      { x: 0, y: 0 },
      { x: 100, y: 10 },
    ])
    expect(drawingPath([])).toBe('')
    expect(
      drawingPath(
        pointsFor([
          [0, 0],
          [1, 1],
        ]),
      ),
    ).toBe('M0 0L100 10')
    expect(
      drawingPath(
        pointsFor([
          [0, 0],
          [0.5, 1],
          [1, 1],
        ]),
      ),
    ).toBe('M0 0Q50 10 100 10')
  })

  test('have arrowheads at the requested ends, and shapes fill their box', () => {
    const line = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
    ]
    expect(arrowheadPath(line, undefined)).toBe('')
    expect(arrowheadPath(line, 'end')).toContain('L100 0')
    expect(arrowheadPath(line, 'both').match(/M/g)).toHaveLength(2)
    expect(shapePath('diamond', 100, 50)).toBe('M50 0L100 25L50 50L0 25Z')
    expect(shapePath('rectangle', 8, 100)).toContain('a4 4')
  })
})
