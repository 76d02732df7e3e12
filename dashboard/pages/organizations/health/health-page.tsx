import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { Page } from '../../../frame/page.tsx'
import { DeadJobs } from './dead-jobs.tsx'
import { type Health, healthQuery } from './health-query.ts'
import { STATUSES } from './labels.ts'
import { OrganizationLoad } from './organization-load.tsx'
import { Problems } from './problems.tsx'
import { Processes } from './processes.tsx'
import { Failures, Lanes, Queues } from './queues.tsx'
import { Statements, Storage } from './storage.tsx'
import { Tiles } from './tiles.tsx'

/** The whole installation, for operators; refreshed while it is open. */
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
  <div className="flex flex-col gap-32 px-16 py-16 md:px-24 md:py-24">
    <Problems problems={health.problems} />
    <Tiles health={health} />
    <div className="grid grid-cols-1 items-start gap-x-48 gap-y-32 @wide:grid-cols-2">
      <Lanes lanes={health.lanes} />
      <Queues backlogs={health.backlogs} />
    </div>
    <DeadJobs jobs={health.deadJobs} />
    <div className="grid grid-cols-1 items-start gap-x-48 gap-y-32 @wide:grid-cols-2">
      <Failures outcomes={health.outcomes} minutes={health.windowMinutes} />
      <OrganizationLoad organizations={health.organizations} minutes={health.windowMinutes} />
    </div>
    <Processes processes={health.processes} minutes={health.windowMinutes} />
    <Storage health={health} />
    <Statements statements={health.database.statements} />
  </div>
)
