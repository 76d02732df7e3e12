import { expect, test } from 'vitest'
import { everyDay, forecastMonth, lastDayOfMonth, spendByDay } from './spend.ts'

const cost = (amount: string) => ({ amount, currency: 'USD' as const })

test('spend adds up over every day, and days to come are unknown', () => {
  const usage = {
    from: '2026-11-01',
    to: '2026-11-03',
    days: [
      { day: '2026-11-01', cost: cost('1.5'), groups: [] },
      { day: '2026-11-03', cost: cost('2'), groups: [] },
    ],
  }
  expect(spendByDay(usage, '2026-11-04')).toEqual([
    { day: '2026-11-01', cost: 1.5, total: 1.5 },
    { day: '2026-11-02', cost: 0, total: 1.5 },
    { day: '2026-11-03', cost: 2, total: 3.5 },
    { day: '2026-11-04', cost: 0, total: null },
  ])
})

test('a month is forecast from its part so far, except on its first day', () => {
  const at = (time: string) => Date.parse(time)
  expect(forecastMonth(170, '2026-11-01', at('2026-11-18T00:00:00Z'))).toBeCloseTo(300)
  expect(forecastMonth(5, '2026-11-01', at('2026-11-01T20:00:00Z'))).toBeNull()
  expect(forecastMonth(9, '2026-11-01', at('2026-12-05T00:00:00Z'))).toBe(9)
})

test('months have their own last day', () => {
  expect([lastDayOfMonth('2026-11-18'), lastDayOfMonth('2028-02-01')]).toEqual(['2026-11-30', '2028-02-29'])
  expect(everyDay('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})
