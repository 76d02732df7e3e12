import { useQuery } from '@tanstack/react-query'
import { CircleCheck, OctagonAlert, TriangleAlert } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { formatDecimal, formatSize } from '../../../components/amounts.ts'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { HealthCharts } from './charts.tsx'
import { describeProblem, formatLag, formatShare, type Health, healthQuery, STATUSES } from './health.ts'
import { OrganizationLoad, Processes } from './processes.tsx'
import { DeadJobs, Failures, Lanes, Queues, SyncedSources } from './queues.tsx'
import { Statements, Storage } from './storage.tsx'

/** For operators. Refreshes while open. */
export function HealthPage() {
  const health = useQuery(healthQuery)
  const status = health.data && STATUSES[health.data.status]
  return (
    <Page title="Health" action={status && <Status meaning={status.meaning}>{status.label}</Status>}>
      {health.isPending && <SkeletonRows />}
      {health.error && !health.data && <Failure error={health.error} onRetry={() => health.refetch()} />}
      {health.data && <Content health={health.data} />}
    </Page>
  )
}

const Content = ({ health }: { health: Health }) => (
  <div className="flex max-w-sheet flex-col gap-32 px-16 py-16 md:px-24 md:py-24">
    <Problems problems={health.problems} />
    <Tiles health={health} />
    <HealthCharts />
    <div className="grid grid-cols-1 items-start gap-x-48 gap-y-32 @wide:grid-cols-2">
      <Lanes lanes={health.lanes} />
      <Queues backlogs={health.backlogs} />
    </div>
    <DeadJobs jobs={health.deadJobs} />
    <SyncedSources sources={health.sources} />
    <div className="grid grid-cols-1 items-start gap-x-48 gap-y-32 @wide:grid-cols-2">
      <Failures outcomes={health.outcomes} minutes={health.windowMinutes} />
      <OrganizationLoad organizations={health.organizations} minutes={health.windowMinutes} />
    </div>
    <Processes processes={health.processes} minutes={health.windowMinutes} />
    <Storage health={health} />
    <Statements statements={health.database.statements} />
  </div>
)

/** A live region announces changes to screen readers. */
function Problems({ problems }: { problems: Health['problems'] }) {
  return (
    <section aria-label="Problems" aria-live="polite">
      {problems.length === 0 ? (
        <p className="flex items-center gap-8 text-13">
          <CircleCheck aria-hidden className="icon text-good-text" />
          No problems found.
        </p>
      ) : (
        <ul className="flex flex-col gap-8 text-13">
          {problems.map(({ level, code, message }) => (
            <li key={code + message} className="flex items-start gap-8">
              {level === 'critical' ? (
                <OctagonAlert aria-hidden className="icon mt-px shrink-0 text-bad-text" />
              ) : (
                <TriangleAlert aria-hidden className="icon mt-px shrink-0 text-warning-text" />
              )}
              <span>
                <span className="sr-only">{level === 'critical' ? t`Critical: ` : t`Warning: `}</span>
                {describeProblem({ code, message })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Tiles({ health }: { health: Health }) {
  const { outcomes, jobs, backlogs, processes, database, disk, backup, windowMinutes } = health
  const requests = outcomes.find(({ name }) => name === 'requests')!
  const lag = Math.max(jobs.lagSeconds, ...backlogs.map(({ lagSeconds }) => lagSeconds))
  const tiles = [
    {
      name: t`Requests`,
      value: `${formatDecimal(requests.total / windowMinutes / 60)}/s`,
      note: t`${formatShare(requests.total === 0 ? 0 : requests.failed / requests.total)} failed`,
    },
    { name: t`Longest wait`, value: formatLag(lag), note: counted(jobs.waiting, 'job') },
    {
      name: t`Processes`,
      value: String(processes.filter(({ isAlive }) => isAlive).length),
      note: t`${jobs.workers} with a worker`,
    },
    {
      name: t`Database`,
      value: formatSize(database.bytes),
      note: t`${database.connections} of ${database.connectionsMax} connections`,
    },
    ...(database.standby ? [standbyTile(database.standby)] : []),
    ...(disk
      ? [
          {
            name: t`Disk`,
            value: formatSize(disk.freeBytes),
            note: t`free of ${formatSize(disk.totalBytes)}`,
          },
        ]
      : []),
    {
      name: t`Last backup`,
      value: backup.last ? <Time at={backup.last.createdAt} /> : '–',
      note: backup.last ? formatSize(backup.last.bytes) : t`None recorded`,
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

const standbyTile = ({ lag, reads, primaryReads }: NonNullable<Health['database']['standby']>) => ({
  name: t`Standby lag`,
  value: lag ? formatSize(lag.bytes) : '–',
  note: lag ? t`${reads} of ${counted(reads + primaryReads, 'list')}` : t`not responding`,
})
