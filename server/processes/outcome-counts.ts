import type { Registry } from 'prom-client'

/** Successes and failures of this process since its start, by kind. */
export interface Outcomes {
  requests: Outcome
  jobs: Outcome
  deliveries: Outcome
  modelCalls: Outcome
  /** Reads that a standby may run; failed: the primary ran them. Absent in rows of former versions. */
  standbyReads?: Outcome
}

export interface Outcome {
  total: number
  failed: number
}

type Labels = Partial<Record<string, string | number>>

const SOURCES: Record<keyof Outcomes, { metric: string; isFailed: (labels: Labels) => boolean }> = {
  requests: {
    metric: 'atrium_http_request_duration_seconds',
    isFailed: ({ status }) => Number(status) >= 500,
  },
  jobs: { metric: 'atrium_jobs_finished_total', isFailed: ({ outcome }) => outcome === 'failed' },
  deliveries: {
    metric: 'atrium_webhook_attempts_total',
    isFailed: ({ outcome }) => outcome === 'failed',
  },
  modelCalls: { metric: 'atrium_agent_steps_total', isFailed: ({ state }) => state === 'failed' },
  standbyReads: { metric: 'atrium_standby_reads_total', isFailed: ({ outcome }) => outcome !== 'standby' },
}

/** Reads no table: these metrics count in memory. */
export async function readOutcomes(registry: Registry): Promise<Required<Outcomes>> {
  const entries = Object.entries(SOURCES).map(async ([name, { metric, isFailed }]) => {
    const found = await registry.getSingleMetric(metric)?.get()
    const sum = { total: 0, failed: 0 }
    for (const { labels, value, metricName } of (found?.values ?? []) as Sample[]) {
      if (metricName !== undefined && metricName !== `${metric}_count`) continue
      sum.total += value
      if (isFailed(labels)) sum.failed += value
    }
    return [name, sum]
  })
  return Object.fromEntries(await Promise.all(entries))
}

interface Sample {
  labels: Labels
  value: number
  /** Set for the values of histograms. */
  metricName?: string
}
