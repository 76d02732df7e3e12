import { Counter, type Registry } from 'prom-client'

/** Counts the attempts of this process. */
export function createAttemptMetrics() {
  const attempts = new Counter({
    name: 'atrium_webhook_attempts_total',
    help: 'Attempts of webhook deliveries by outcome (succeeded, failed)',
    labelNames: ['outcome'],
    registers: [],
  })
  return {
    record: (succeeded: boolean): void => attempts.inc({ outcome: succeeded ? 'succeeded' : 'failed' }),
    register: (registry: Registry): void => registry.registerMetric(attempts as never),
  }
}

export type AttemptMetrics = ReturnType<typeof createAttemptMetrics>
