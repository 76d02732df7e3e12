import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { Block } from '../../../components/layout/block.tsx'
import { withNames } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Figures } from './figures.tsx'
import { type Health, healthQuery } from './health-query.ts'

type Job = Health['deadJobs'][number]

/** The jobs that failed permanently; renders nothing if there are none. */
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
            header: 'Task',
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
          { header: 'Attempts', cell: ({ attempts }) => attempts, visibleFrom: 'medium' },
          { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, visibleFrom: 'medium' },
          { header: 'Action', cell: (job) => <Retry job={job} /> },
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
