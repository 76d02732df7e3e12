import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Box } from '../model/arrange.ts'
import { snapMove, snapResize } from './guides.ts'

const box = (x: number, y: number, width = 100, height = 50): Box => ({ x, y, width, height })

describe('snapping', () => {
  test("moves a box to a neighbor's nearest edge or center and draws the line across both", () => {
    const { dx, dy, guides } = snapMove(box(104, 203), [box(100, 0)], 6)
    expect([dx, dy]).toEqual([-4, 0])
    expect(guides).toContainEqual({ axis: 'x', at: 100, from: 0, to: 253 })
    // A narrow box snaps by its center, because its edges have no line in reach.
    expect(snapMove(box(133, 300, 40), [box(100, 0)], 6).dx).toBe(-3)
  })

  test('leaves a box in place if no neighbor is in reach', () => {
    expect(snapMove(box(57, 300, 30, 30), [box(100, 0)], 6)).toEqual({ dx: 0, dy: 0, guides: [], gaps: [] })
  })

  test("centers a box between two neighbors, and repeats a row's gap at both ends", () => {
    const row = [box(0, 0), box(400, 10)]
    const between = snapMove(box(203, 33), row, 6)
    expect(between.dx).toBe(-3)
    expect(between.gaps.filter(({ axis }) => axis === 'x').map(({ from, to }) => [from, to])).toEqual([
      [100, 200],
      [300, 400],
    ])
    const pair = [box(0, 0), box(140, 0)]
    expect(snapMove(box(283, 7), pair, 6).dx).toBe(-3)
    expect(snapMove(box(-137, 7), pair, 6).dx).toBe(-3)
    // A box in another row does not count.
    expect(snapMove(box(283, 500), pair, 2).gaps).toEqual([])
  })

  test('snaps only the edges being resized', () => {
    const { box: next, guides } = snapResize(box(0, 0, 196, 50), box(0, 0), [box(200, 300), box(-3, 300)], 6)
    expect(next).toEqual(box(0, 0, 200, 50))
    expect(guides.map(({ axis, at }) => [axis, at])).toEqual([['x', 200]])
  })

  const boxes = fc.record({
    x: fc.integer({ min: -500, max: 500 }),
    y: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 300 }),
  })

  test('never moves a box beyond its reach, and shows only lines shared by both boxes', () => {
    fc.assert(
      fc.property(
        boxes,
        fc.array(boxes, { maxLength: 12 }),
        fc.integer({ min: 1, max: 20 }),
        (moving, others, reach) => {
          const { dx, dy, guides, gaps } = snapMove(moving, others, reach)
          expect(Math.max(Math.abs(dx), Math.abs(dy))).toBeLessThanOrEqual(reach)
          const lines = (each: Box, axis: 'x' | 'y') => {
            const [start, length] = axis === 'x' ? [each.x, each.width] : [each.y, each.height]
            return [start, start + length / 2, start + length]
          }
          const snapped = { ...moving, x: moving.x + dx, y: moving.y + dy }
          for (const { axis, at } of guides)
            for (const each of [[snapped], others])
              expect(each.some((one) => lines(one, axis).some((line) => Math.abs(line - at) < 0.02))).toBe(
                true,
              )
          for (const axis of ['x', 'y'] as const) {
            const lengths = gaps.filter((gap) => gap.axis === axis).map(({ from, to }) => to - from)
            expect(lengths.length === 1).toBe(false)
          }
        },
      ),
    )
  })

  test('leaves a snapped box in place', () => {
    fc.assert(
      fc.property(boxes, fc.array(boxes, { maxLength: 12 }), (moving, others) => {
        const { dx, dy } = snapMove(moving, others, 8)
        const again = snapMove({ ...moving, x: moving.x + dx, y: moving.y + dy }, others, 8)
        if (dx !== 0) expect(again.dx).toBeCloseTo(0)
        if (dy !== 0) expect(again.dy).toBeCloseTo(0)
      }),
      {
        examples: [
          [
            { x: 6, y: 0, width: 5, height: 1 },
            [
              { x: 0, y: 2, width: 1, height: 1 },
              { x: 0, y: -162, width: 7, height: 64 },
              { x: 0, y: 100, width: 24, height: 1 },
            ],
          ],
        ],
      },
    )
  })
})
