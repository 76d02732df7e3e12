import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { Block } from '../../../components/layout/block.tsx'
import { withNames } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Figures } from './figures.tsx'
import {
  formatCount,
  formatLag,
  formatShare,
  type Health,
  healthQuery,
  LANES,
  OUTCOMES,
  QUEUES,
} from './health.ts'

export const Lanes = ({ lanes }: { lanes: Health['lanes'] }) => (
  <Block title="Jobs by lane" headingEnd={<Link to="/operate/jobs">All jobs</Link>}>
    <Figures
      label="Jobs by lane"
      rows={lanes}
      rowKey={({ lane }) => lane}
      columns={[
        { header: t`Lane`, wide: true, cell: ({ lane }) => LANES[lane] ?? lane },
        { header: t`Waiting`, cell: ({ waiting }) => formatCount(waiting) },
        { header: t`Running`, cell: ({ running }) => running, visibleFrom: 'medium' },
        { header: t`Retrying`, cell: ({ retrying }) => formatCount(retrying), visibleFrom: 'medium' },
        { header: t`Failed`, cell: ({ dead }) => <Failed count={dead} /> },
        { header: t`Oldest`, cell: ({ lagSeconds }) => formatLag(lagSeconds) },
      ]}
    />
  </Block>
)

export const Queues = ({ backlogs }: { backlogs: Health['backlogs'] }) => (
  <Block title="Queues">
    <Figures
      label="Queues"
      rows={backlogs}
      rowKey={({ queue }) => queue}
      columns={[
        { header: t`Queue`, wide: true, cell: ({ queue }) => QUEUES[queue] },
        { header: t`Waiting`, cell: ({ waiting }) => formatCount(waiting) },
        { header: t`Oldest`, cell: ({ lagSeconds }) => formatLag(lagSeconds) },
      ]}
    />
  </Block>
)

export const SyncedSources = ({ sources }: { sources: Health['sources'] }) => (
  <Block title="Synced sources">
    <Figures
      label="Synced sources"
      rows={[sources]}
      rowKey={() => 'sources'}
      columns={[
        { header: t`Syncing`, wide: true, cell: ({ syncing }) => formatCount(syncing) },
        { header: t`Waiting`, cell: ({ waiting }) => formatCount(waiting) },
        { header: t`Failing`, cell: ({ failing }) => <Failed count={failing} /> },
      ]}
    />
  </Block>
)

export const Failures = ({ outcomes, minutes }: { outcomes: Health['outcomes']; minutes: number }) => (
  <Block title="Failures" note={t`Last ${minutes} minutes, all processes`}>
    <Figures
      label="Failures"
      rows={outcomes}
      rowKey={({ name }) => name}
      columns={[
        { header: t`Type`, wide: true, cell: ({ name }) => OUTCOMES[name] },
        { header: t`Total`, cell: ({ total }) => total.toLocaleString(LOCALE) },
        { header: t`Failed`, cell: ({ failed }) => <Failed count={failed} /> },
        {
          header: t`Failure rate`,
          cell: ({ total, failed }) => (total === 0 ? '–' : formatShare(failed / total)),
        },
      ]}
    />
  </Block>
)

const Failed = ({ count }: { count: number }) => (
  <span className={count > 0 ? 'font-medium text-bad-text' : ''}>{formatCount(count)}</span>
)

type Job = Health['deadJobs'][number]

export function DeadJobs({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0) return null
  return (
    <Block title="Failed jobs" headingEnd={<Link to="/operate/jobs">All jobs</Link>}>
      <Figures
        label="Failed jobs"
        rows={jobs}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t`Task`,
            wide: true,
            cell: ({ task, lastError }) => (
              <span className="flex min-w-0 flex-col py-4">
                <code className="truncate font-mono text-12">{task}</code>
                {lastError && (
                  <span className="truncate text-12 text-bad-text" title={lastError}>
                    {lastError.split('\n')[0]}
                  </span>
                )}
              </span>
            ),
          },
          { header: t`Attempts`, cell: ({ attempts }) => attempts, visibleFrom: 'medium' },
          { header: t`Created`, cell: ({ createdAt }) => <Time at={createdAt} />, visibleFrom: 'medium' },
          { header: t`Action`, cell: (job) => <Retry job={job} /> },
        ]}
      />
    </Block>
  )
}

function Retry({ job }: { job: Job }) {
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => organizationApi.operations.retryJob({ id: job.id }),
    onSuccess: () => toast(withNames`Retrying ${job.task}`),
    onError: (error) => toast(shortMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: healthQuery.queryKey }),
  })
  return (
    <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
      Retry
    </Button>
  )
}
