import { expect, test } from 'vitest'
import { stripShares } from './strip.ts'

test('work is proportional to its time, and a long wait leaves room for it', () => {
  expect(
    stripShares([
      { kind: 'model', ms: 100 },
      { kind: 'tool', ms: 300 },
    ]),
  ).toEqual([100, 300])
  const [model, wait, tool] = stripShares([
    { kind: 'model', ms: 5500 },
    { kind: 'waiting', ms: 86_400_000 },
    { kind: 'tool', ms: 0 },
  ])
  expect(wait! / (model! + wait! + tool!)).toBeCloseTo(0.45, 3)
  expect(tool).toBe(1)
  expect(stripShares([{ kind: 'waiting', ms: 10 }])).toEqual([10])
})
