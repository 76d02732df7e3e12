import { counted } from '../../../../contract/counted.ts'
import { formatDecimal, formatSize } from '../../../components/amounts.ts'
import { Time } from '../../../components/time.tsx'
import type { Health } from './health-query.ts'
import { formatLag, formatShare } from './labels.ts'

/** The most important figures for an operator. */
export function Tiles({ health }: { health: Health }) {
  const { outcomes, jobs, backlogs, processes, database, disk, backup, windowMinutes } = health
  const requests = outcomes.find(({ name }) => name === 'requests')!
  const lag = Math.max(jobs.lagSeconds, ...backlogs.map(({ lagSeconds }) => lagSeconds))
  const tiles = [
    {
      name: 'Requests',
      value: `${formatDecimal(requests.total / windowMinutes / 60)}/s`,
      note: `${formatShare(requests.total === 0 ? 0 : requests.failed / requests.total)} failed`,
    },
    { name: 'Oldest waiting work', value: formatLag(lag), note: counted(jobs.waiting, 'job') },
    {
      name: 'Processes',
      value: String(processes.filter(({ isAlive }) => isAlive).length),
      note: `${jobs.workers} with a worker`,
    },
    {
      name: 'Database',
      value: formatSize(database.bytes),
      note: `${database.connections} of ${database.connectionsMax} connections`,
    },
    ...(database.standby ? [standbyTile(database.standby)] : []),
    ...(disk
      ? [
          {
            name: 'Disk',
            value: formatSize(disk.freeBytes),
            note: `free of ${formatSize(disk.totalBytes)}`,
          },
        ]
      : []),
    {
      name: 'Last backup',
      value: backup.last ? <Time at={backup.last.createdAt} /> : '–',
      note: backup.last ? formatSize(backup.last.bytes) : 'None recorded',
    },
  ]
  return (
    <dl
      className={`grid grid-cols-2 gap-x-24 gap-y-16 @medium:grid-cols-3 ${tiles.length > 5 ? '@wide:grid-cols-6' : '@wide:grid-cols-5'}`}
    >
      {tiles.map(({ name, value, note }) => (
        <div key={name} className="min-w-0">
          <dt className="text-12 text-neutral-11">{name}</dt>
          <dd className="truncate font-strong text-20 tabular-nums">{value}</dd>
          <dd className="text-12 text-neutral-11 tabular-nums">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The lag of the standby, and how many of the list queries it ran. */
const standbyTile = ({ lag, reads, primaryReads }: NonNullable<Health['database']['standby']>) => ({
  name: 'Standby lag',
  value: lag ? formatSize(lag.bytes) : '–',
  note: lag ? `${reads} of ${counted(reads + primaryReads, 'list')}` : 'does not respond',
})
