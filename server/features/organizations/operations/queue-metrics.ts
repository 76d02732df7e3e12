import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import { readBackupState } from '../../../backup/last-backup.ts'
import type { Pool } from '../../../database/database.ts'
import { SAME_EVERYWHERE } from '../../../observability/metrics.ts'
import type { HealthOptions } from './health.ts'
import { countProcesses, readBacklogs, readSize } from './health-queries.ts'

export function registerQueues(
  registry: Registry,
  pool: Pool,
  { dataFolder, now }: Pick<HealthOptions, 'dataFolder'> & { now: () => Date },
): void {
  const registers = [registry]
  const lag = new Gauge({
    name: 'atrium_queue_lag_seconds',
    help: 'How long a queue’s oldest work has been due',
    aggregator: SAME_EVERYWHERE,
    labelNames: ['queue'],
    registers,
  })
  new Gauge({
    name: 'atrium_queue_waiting',
    help: 'Work waiting in a queue, counted up to 10,000',
    aggregator: SAME_EVERYWHERE,
    labelNames: ['queue'],
    registers,
    async collect() {
      for (const { queue, waiting, lagSeconds } of await readBacklogs(pool, now())) {
        this.set({ queue }, waiting)
        lag.set({ queue }, lagSeconds)
      }
    },
  })
  new Gauge({
    name: 'atrium_processes',
    help: 'Installation processes that reported within half a minute, by role',
    aggregator: SAME_EVERYWHERE,
    labelNames: ['role'],
    registers,
    async collect() {
      this.reset()
      for (const { role, count } of await countProcesses(pool)) this.set({ role }, count)
    },
  })
  new Gauge({
    name: 'atrium_database_size_bytes',
    help: 'Database size on disk',
    aggregator: SAME_EVERYWHERE,
    registers,
    async collect() {
      this.set(await readSize(pool))
    },
  })
  const installed = new Gauge({
    name: 'atrium_installed_timestamp_seconds',
    help: 'When the installation was created',
    aggregator: SAME_EVERYWHERE,
    registers,
  })
  new Gauge({
    name: 'atrium_last_backup_timestamp_seconds',
    help: 'Time of the last complete and verified backup; absent before the first',
    aggregator: SAME_EVERYWHERE,
    registers,
    async collect() {
      const { last, installedAt } = await readBackupState(pool, now())
      installed.set(Date.parse(installedAt) / 1000)
      this.reset()
      if (last) this.set(Date.parse(last.createdAt) / 1000)
      else this.remove()
    },
  })
  new Gauge({
    name: 'atrium_disk_free_bytes',
    help: 'Free space on the data folder’s disk',
    aggregator: SAME_EVERYWHERE,
    registers,
    async collect() {
      const disk = await statfs(dataFolder).catch(() => null)
      if (disk) this.set(disk.bavail * disk.bsize)
    },
  })
}
