import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { NoRowsMatch } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { RowToggle } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'

type Job = OutputOf<Contract['operations']['jobs']>['items'][number]

const REFRESH_MS = 5000

const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: ({ signal }) => organizationApi.operations.jobs(undefined, { signal }),
  refetchInterval: REFRESH_MS,
})

export function JobsPage() {
  const [filter, setFilter] = useState('')
  const [opened, setOpened] = useState<string>()
  const [jobToDiscard, setJobToDiscard] = useState<Job>()
  const jobs = useQuery(jobsQuery)
  const items = jobs.data?.items ?? []
  const matchingJobs = items.filter((job) =>
    `${job.task} ${STATES[job.state].label}`.toLowerCase().includes(filter.trim().toLowerCase()),
  )
  return (
    <Page
      title="Jobs"
      count={jobs.data && items.length}
      filter={
        items.length > 0
          ? { value: filter, onChange: setFilter, label: t`Filter by task or state` }
          : undefined
      }
    >
      {jobs.isPending && <SkeletonRows />}
      {jobs.error && !jobs.data && <Failure error={jobs.error} onRetry={() => jobs.refetch()} />}
      {jobs.data && items.length === 0 && (
        <Empty icon={ListChecks} title="No pending jobs">
          Pending, running and failed jobs from all organizations appear here.
        </Empty>
      )}
      {items.length > 0 && (
        <Table
          label="Background jobs"
          columns={columns(opened, setOpened, setJobToDiscard)}
          rows={matchingJobs}
          rowKey={(job) => job.id}
          version={(job) => job.state + job.attempts}
          below={(job) => job.id === opened && <Details job={job} />}
        />
      )}
      {items.length > 0 && matchingJobs.length === 0 && <NoRowsMatch>No jobs match your filter.</NoRowsMatch>}
      {jobToDiscard && <DiscardDialog job={jobToDiscard} onClose={() => setJobToDiscard(undefined)} />}
    </Page>
  )
}

const STATES: Record<Job['state'], { label: string; meaning: Meaning }> = {
  waiting: { label: t`Waiting`, meaning: 'neutral' },
  running: { label: t`Running`, meaning: 'accent' },
  retrying: { label: t`Retrying`, meaning: 'warning' },
  dead: { label: t`Failed`, meaning: 'bad' },
}

const columns = (
  opened: string | undefined,
  setOpened: (id: string | undefined) => void,
  onDiscard: (job: Job) => void,
): Column<Job>[] => [
  {
    header: t`State`,
    cell: ({ state }) => <Status meaning={STATES[state].meaning}>{STATES[state].label}</Status>,
  },
  {
    header: t`Task`,
    wide: true,
    cell: (job) => (
      <Task
        job={job}
        opened={job.id === opened}
        onToggle={() => setOpened(job.id === opened ? undefined : job.id)}
      />
    ),
  },
  {
    header: t`Attempts`,
    right: true,
    visibleFrom: 'medium',
    cell: (job) => t`${job.attempts} of ${job.maxAttempts}`,
  },
  {
    header: t`Next run`,
    right: true,
    visibleFrom: 'medium',
    cell: (job) => (
      <span className="text-neutral-11">
        {job.state === 'dead' ? '–' : <Time at={job.runAt} isExpected />}
      </span>
    ),
  },
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (job) => job.state === 'dead' && <Actions job={job} onDiscard={onDiscard} />,
  },
]

interface TaskProps {
  job: Job
  opened: boolean
  onToggle: () => void
}

function Task({ job, opened, onToggle }: TaskProps) {
  // Long names wrap after the dot.
  const [area, name] = job.task.split(/(?<=\.)(.*)/)
  return (
    <RowToggle id={job.id} opened={opened} onToggle={onToggle}>
      <code className="line-clamp-2 max-w-filter break-words font-mono text-12 @medium:line-clamp-1 @medium:shrink-0 @medium:break-all">
        {area}
        <wbr />
        {name}
      </code>
      {job.lastError && <span className="sr-only">Last error</span>}
      {job.lastError && !opened && (
        <span className="hidden truncate text-bad-text @medium:inline">{job.lastError.split('\n')[0]}</span>
      )}
    </RowToggle>
  )
}

function Details({ job }: { job: Job }) {
  return (
    <div className="flex flex-col gap-8 text-13 text-neutral-11">
      <p>
        {job.attempts} of {job.maxAttempts} attempts.{' '}
        {job.state === 'dead' ? (
          t`No further automatic retries.`
        ) : (
          <>
            Next run <Time at={job.runAt} isExpected />.
          </>
        )}
      </p>
      {job.lastError && <Code what="last error">{job.lastError}</Code>}
    </div>
  )
}

function Actions({ job, onDiscard }: { job: Job; onDiscard: (job: Job) => void }) {
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => organizationApi.operations.retryJob({ id: job.id }),
    onSuccess: () => toast(withNames`Retrying ${job.task}`),
    onError: (error) => toast(shortMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: jobsQuery.queryKey }),
  })
  return (
    <span className="relative inline-flex gap-4">
      <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </Button>
      <Button size="small" look="quiet" onClick={() => onDiscard(job)}>
        Discard
      </Button>
    </span>
  )
}

function DiscardDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Discard job"
      phrase={job.task}
      action="Discard job"
      mutate={() => organizationApi.operations.discardJob({ id: job.id })}
      invalidates={[jobsQuery.queryKey]}
      success={withNames`Discarded ${job.task}`}
      onClose={onClose}
    >
      <p>This deletes the job and its last error without running it. To run it again, use Retry.</p>
      <p>This can’t be undone.</p>
    </ConfirmDialog>
  )
}
