import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../terminal.ts'
import { createSpeedometer, renderBars } from './display.ts'

const SCREEN = { columns: 60, rows: 20 }
const totals = { files: 60, bytes: 10_000_000, filesDone: 12, bytesDone: 2_000_000 }

describe('renderBars', () => {
  test('renders a bar per transfer and a total with speed and remaining time', () => {
    const running = [
      { label: 'a.txt', size: 1000, bytes: 500 },
      { label: 'empty', size: 0, bytes: 0 },
    ]
    const [first, second, total] = renderBars(running, totals, 1_000_000, SCREEN)
    expect(first).toMatch(/^a\.txt +█{10}░{10} {2}50%$/)
    expect(second).toMatch(/^empty +█{20} 100%$/)
    expect(total).toBe('12 of 60 files  2.0 MB of 10.0 MB  1.0 MB/s  8 s left')
  })

  test('omits the speed before the first byte', () => {
    expect(renderBars([], totals, null, SCREEN)).toEqual(['12 of 60 files  2.0 MB of 10.0 MB'])
  })

  test('fits every line into the screen width, for names of any length', () => {
    const labels = ['x'.repeat(300), '漢字'.repeat(50), '👩‍👩‍👧‍👦'.repeat(50), 'e\u0301'.repeat(100)]
    const running = labels.map((label) => ({ label, size: 10, bytes: 99 }))
    for (const line of renderBars(running, totals, 1, SCREEN)) expect(displayWidth(line)).toBeLessThan(60)
  })

  test('fits the lines into the screen height', () => {
    const running = Array.from({ length: 16 }, () => ({ label: 'x', size: 1, bytes: 0 }))
    expect(renderBars(running, totals, null, { columns: 80, rows: 6 })).toHaveLength(5)
  })

  test('truncates long names at the start and replaces control characters', () => {
    const [line] = renderBars(
      [{ label: `${'long '.repeat(20)}\u001b[2Jend.txt`, size: 1, bytes: 0 }],
      totals,
      null,
      SCREEN,
    )
    expect(line).toMatch(/^….*�\[2Jend\.txt ░/)
  })
})

describe('createSpeedometer', () => {
  test('averages the speed over the last seconds', () => {
    const speed = createSpeedometer()
    expect(speed(0, 0)).toBeNull()
    expect(speed(1000, 1000)).toBe(1000)
    expect(speed(1000, 4000)).toBe(250)
    expect(speed(61_000, 10_000)).toBe(10_000)
  })
})
