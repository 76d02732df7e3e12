import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { withNames } from '../../../components/name.tsx'
import { NoRowsMatch } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, StatusMark } from '../../../components/status.tsx'
import { RowToggle } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'

type Job = OutputOf<Contract['operations']['jobs']>['items'][number]

const REFRESH_MS = 5000

const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: ({ signal }) => organizationApi.operations.jobs(undefined, { signal }),
  refetchInterval: REFRESH_MS,
})

const route = getRouteApi('/app/operate/jobs')

export function JobsPage() {
  const search = route.useSearch()
  const { typed, setTyped } = useSearchInput(search.q ?? '')
  const [opened, setOpened] = useState<string>()
  const [jobToDiscard, setJobToDiscard] = useState<Job>()
  const jobs = useQuery(jobsQuery)
  const items = jobs.data?.items ?? []
  const matchingJobs = items.filter(
    ({ task, state }) =>
      task.toLowerCase().includes(typed.trim().toLowerCase()) &&
      (search.state === undefined || state === search.state),
  )
  return (
    <Page
      title="Jobs"
      count={jobs.data && items.length}
      filter={items.length > 0 ? { value: typed, onChange: setTyped, label: t`Filter by task` } : undefined}
      tabs={items.length > 0 && <StateTabs jobs={items} />}
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

/** What needs someone comes first. */
const ORDER = ['dead', 'retrying', 'running', 'waiting'] as const satisfies Job['state'][]

function StateTabs({ jobs }: { jobs: Job[] }) {
  return (
    <TabRow label="State">
      <StateTab state={undefined} label={t`All`} count={jobs.length} />
      {ORDER.map((state) => (
        <StateTab
          key={state}
          state={state}
          label={STATES[state].label}
          count={jobs.filter((job) => job.state === state).length}
        />
      ))}
    </TabRow>
  )
}

interface StateTabProps {
  state: Job['state'] | undefined
  label: string
  count: number
}

const StateTab = ({ state, label, count }: StateTabProps) => (
  <Link
    to="/operate/jobs"
    search={(previous) => ({ ...previous, state })}
    activeOptions={{ includeSearch: true, explicitUndefined: true }}
    className={TAB}
  >
    {label} <span className="font-regular text-12 tabular-nums">{count.toLocaleString(LOCALE)}</span>
  </Link>
)

interface TaskProps {
  job: Job
  opened: boolean
  onToggle: () => void
}

function Task({ job, opened, onToggle }: TaskProps) {
  // Long names wrap after the dot.
  const [area, name] = job.task.split(/(?<=\.)(.*)/)
  const { label, meaning } = STATES[job.state]
  return (
    <span className="flex min-w-0 items-center gap-12">
      <span title={label} className="flex">
        <StatusMark meaning={meaning} />
        <span className="sr-only">{label}</span>
      </span>
      <RowToggle id={job.id} opened={opened} onToggle={onToggle}>
        <span className="flex min-w-0 flex-col">
          <span className="line-clamp-2 break-words font-medium @medium:line-clamp-1">
            {area}
            <wbr />
            {name}
          </span>
          {job.lastError && <span className="sr-only">Last error</span>}
          <span className={`truncate text-12 ${job.lastError ? 'text-bad-text' : 'text-neutral-11'}`}>
            {job.lastError && !opened ? job.lastError.split('\n')[0] : label}
          </span>
        </span>
      </RowToggle>
    </span>
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
