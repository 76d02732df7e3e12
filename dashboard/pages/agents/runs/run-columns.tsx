import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import type { AgentRun } from '../../../api/runs.ts'
import { formatCost, formatDuration } from '../../../components/amounts.ts'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { describeRunStatus, runDurationMs, runTitle, TRIGGERS } from './run-labels.ts'

const NONE = '–'

/** `inProject` omits the project, which is the same in every row. */
export const runColumns = (now: number, { inProject = false } = {}): Column<AgentRun>[] => [
  { header: t`Run`, wide: true, cell: (run) => <TitleCell run={run} inProject={inProject} now={now} /> },
  { header: t`Status`, cell: (run) => <RunStatus run={run} /> },
  {
    header: t`Started by`,
    visibleFrom: 'extra-wide',
    cell: ({ trigger, createdByName }) => (
      <span className="whitespace-nowrap text-neutral-11">
        {trigger !== 'message' && `${TRIGGERS[trigger]} · `}
        <Name>{createdByName}</Name>
      </span>
    ),
  },
  {
    header: t`Duration`,
    right: true,
    visibleFrom: 'medium',
    cell: (run) => {
      const ms = runDurationMs(run, now)
      return <span className="whitespace-nowrap">{ms === null ? NONE : formatDuration(ms)}</span>
    },
  },
  {
    header: t`Cost`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ cost }) => <span title={`${cost.amount} ${cost.currency}`}>{formatCost(cost)}</span>,
  },
  timeColumn(t`Created`, ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
]

export function RunStatus({ run }: { run: AgentRun }) {
  const { label, meaning } = describeRunStatus(run)
  return <Status meaning={meaning}>{label}</Status>
}

function TitleCell({ run, inProject, now }: { run: AgentRun; inProject: boolean; now: number }) {
  const { id, kind, agentName, projectName, cost, createdAt } = run
  const ms = runDurationMs(run, now)
  return (
    <span className="block min-w-0">
      <Link
        to="/runs/$runId"
        params={{ runId: id }}
        data-row-link={id}
        title={runTitle(run)}
        className="row-link block truncate font-medium outline-none"
      >
        <Name>{runTitle(run)}</Name>
      </Link>
      <span className="block truncate text-12 text-neutral-11">
        {kind === 'workflow' ? t`Workflow` : <Name>{agentName}</Name>}
        {!inProject && (
          <>
            {' · '}
            <Name>{projectName}</Name>
          </>
        )}
      </span>
      <span className="block truncate text-12 text-neutral-11 tabular-nums @medium:hidden">
        {ms !== null && `${formatDuration(ms)} · `}
        {formatCost(cost)} · <Time at={createdAt} />
      </span>
    </span>
  )
}
