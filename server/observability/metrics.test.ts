import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createDurations } from './metrics.ts'

test('durations for further label values are counted together beyond 1,000 series', async () => {
  const registry = new Registry()
  const durations = createDurations(registry, 'name', 'help', ['tool', 'outcome'])
  for (let n = 0; n < 1500; n++) durations.observe([`tool ${n}`, 'ok'], 0.1)
  const [metric] = await registry.getMetricsAsJSON()
  const counts = (metric!.values as { metricName?: string }[]).filter(
    ({ metricName }) => metricName === 'name_count',
  )
  expect(counts).toHaveLength(1001)
  expect(counts.at(-1)).toMatchObject({ labels: { tool: 'other', outcome: 'other' }, value: 500 })
})
