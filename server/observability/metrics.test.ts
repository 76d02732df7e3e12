import { expect, test } from 'vitest'
import { DurationHistogram } from './metrics.ts'

test('DurationHistogram counts further label values together once it has 1,000 series', () => {
  const histogram = new DurationHistogram('name', 'help', ['tool', 'outcome'])
  for (let n = 0; n < 1500; n++) histogram.observe([`tool ${n}`, 'ok'], 0.1)
  const counts = histogram.get().values.filter(({ metricName }) => metricName === 'name_count')
  expect(counts).toHaveLength(1001)
  expect(counts.at(-1)).toMatchObject({ labels: { tool: 'other', outcome: 'other' }, value: 500 })
})
