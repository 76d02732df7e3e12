import { Link } from '@tanstack/react-router'
import type { Schedule } from '../../../api/schedules.ts'
import { localizeClock } from '../../../components/dates.ts'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { statusOf } from '../runs/run-labels.ts'
import { ScheduleMenu } from './schedule-menu.tsx'
import { ScheduleSwitch } from './schedule-switch.tsx'

type Handler = (schedule: Schedule) => void

export const scheduleColumns = (onEdit: Handler, onDelete: Handler): Column<Schedule>[] => [
  { header: 'Schedule', wide: true, cell: (schedule) => <NameCell schedule={schedule} onEdit={onEdit} /> },
  { header: 'Next run', cell: (schedule) => <NextCell schedule={schedule} /> },
  { header: 'Last run', visibleFrom: 'medium', cell: (schedule) => <LastCell schedule={schedule} /> },
  {
    header: 'Runs as',
    visibleFrom: 'extra-wide',
    cell: ({ runsAs }) => (
      <span className="whitespace-nowrap text-neutral-11">
        <Name>{runsAs.name}</Name>
        {runsAs.keyId && ' · API key'}
      </span>
    ),
  },
  {
    header: 'Enabled',
    headerHidden: true,
    cell: (schedule) => schedule.canEdit && <ScheduleSwitch schedule={schedule} />,
  },
  {
    header: 'Actions',
    headerHidden: true,
    right: true,
    cell: (schedule) => (
      <span className="relative">
        <ScheduleMenu
          schedule={schedule}
          onEdit={() => onEdit(schedule)}
          onDelete={() => onDelete(schedule)}
        />
      </span>
    ),
  },
]

function NameCell({ schedule, onEdit }: { schedule: Schedule; onEdit: Handler }) {
  const { id, name, description, projectName, agentName, timeZone, canEdit } = schedule
  return (
    <span className="block min-w-0">
      <button
        type="button"
        data-row-link={id}
        title={name}
        disabled={!canEdit}
        onClick={() => onEdit(schedule)}
        className="row-link block max-w-full truncate text-left font-medium outline-none"
      >
        <Name>{name}</Name>
      </button>
      <span className="block truncate text-12 text-neutral-11" title={`Times in ${timeZone}`}>
        {localizeClock(description)} · <Name>{agentName ?? 'Agent block'}</Name> · <Name>{projectName}</Name>
      </span>
    </span>
  )
}

function NextCell({ schedule: { enabled, paused, nextRunAt } }: { schedule: Schedule }) {
  if (!enabled) return <Status meaning="neutral">Off</Status>
  if (paused)
    return (
      <span title={paused.message}>
        <Status meaning="bad">Paused</Status>
        <span className="block max-w-form truncate text-12 text-neutral-11 @max-wide:hidden">
          {paused.message}
        </span>
      </span>
    )
  return nextRunAt ? <Time at={nextRunAt} isExpected /> : <span className="text-neutral-11">Never</span>
}

const OUTCOMES = { skipped: 'Skipped', failed: 'Not started' } as const

function LastCell({ schedule: { lastRun, lastRunAt, lastOutcome, lastError } }: { schedule: Schedule }) {
  if (lastOutcome === 'failed' || lastOutcome === 'skipped')
    return (
      <span title={lastError ?? undefined}>
        <Status meaning={lastOutcome === 'failed' ? 'bad' : 'warning'}>{OUTCOMES[lastOutcome]}</Status>
      </span>
    )
  if (!lastRun || !lastRunAt) return <span className="text-neutral-11">–</span>
  const { label, meaning } = statusOf({ status: lastRun.status, wait: null, cancelRequestedAt: null })
  return (
    <span className="relative flex items-baseline gap-8 whitespace-nowrap">
      <Link to="/runs/$runId" params={{ runId: lastRun.id }} className="hover:underline">
        <Status meaning={meaning}>{label}</Status>
      </Link>
      <span className="text-12 text-neutral-11">
        <Time at={lastRunAt} />
      </span>
    </span>
  )
}
