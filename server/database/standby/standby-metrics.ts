import { Counter, Gauge, type Registry } from 'prom-client'
import { READ_OUTCOMES, type Standby } from './standby.ts'

/** Registers the metrics of the standby, which only a server with DATABASE_READ_URL has. */
export function registerStandby(registry: Registry, standby: Standby): void {
  new Counter({
    name: 'atrium_standby_reads_total',
    help: 'Reads that a standby may run, by outcome: standby, or why the primary ran them (lag, failure, paused, busy, write)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      const counts = standby.counts()
      for (const outcome of READ_OUTCOMES) this.inc({ outcome }, counts[outcome])
    },
  })
  const behind = new Gauge({
    name: 'atrium_standby_behind_bytes',
    help: 'Log of the primary that the standby has not replayed; absent if the standby does not respond',
    registers: [registry],
    async collect() {
      const lag = await standby.lag()
      behind.remove()
      if (lag) behind.set(lag.bytes)
    },
  })
}
