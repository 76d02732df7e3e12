import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, ListTree, Pencil, Play, Trash2, Workflow } from 'lucide-react'
import { describeCron } from '../../../../contract/agents/describe-cron.ts'
import { PAUSE_REASONS } from '../../../../contract/agents/schedule-options.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { AgentRun } from '../../../api/runs.ts'
import { refreshSchedules, type Schedule, scheduleApi } from '../../../api/schedules.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { localizeClock } from '../../../components/dates.ts'
import { AgentFace } from '../../../components/faces.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { describeRunStatus } from '../runs/run-labels.ts'
import { RecentRuns } from './recent-runs.tsx'

type Handler = (schedule: Schedule) => void

export const scheduleColumns = (
  recent: ReadonlyMap<string, readonly AgentRun[]>,
  onEdit: Handler,
  onDelete: Handler,
): Column<Schedule>[] => [
  { header: t`Schedule`, wide: true, cell: (schedule) => <NameCell schedule={schedule} onEdit={onEdit} /> },
  { header: t`Next run`, cell: (schedule) => <NextCell schedule={schedule} /> },
  { header: t`Last run`, visibleFrom: 'medium', cell: (schedule) => <LastCell schedule={schedule} /> },
  {
    header: t`Recent runs`,
    visibleFrom: 'wide',
    cell: ({ id }) => <RecentRuns runs={recent.get(id) ?? []} />,
  },
  {
    header: t`Runs as`,
    visibleFrom: 'extra-wide',
    cell: ({ runsAs }) => (
      <span className="whitespace-nowrap text-neutral-11">
        <Name>{runsAs.name}</Name>
        {runsAs.keyId && t` · API key`}
      </span>
    ),
  },
  {
    header: t`Enabled`,
    headerHidden: true,
    cell: (schedule) => schedule.canEdit && <ScheduleSwitch schedule={schedule} />,
  },
  {
    header: t`Actions`,
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
  const { id, name, cron, projectName, agentName, timeZone, canEdit } = schedule
  return (
    <span className="flex min-w-0 items-center gap-12">
      {schedule.agentId ? (
        <AgentFace agent={{ id: schedule.agentId, name: agentName ?? name }} />
      ) : (
        <span className="grid size-24 shrink-0 place-items-center rounded-square bg-neutral-4 text-neutral-11">
          <Workflow aria-hidden className="icon" />
        </span>
      )}
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
        <span className="block truncate text-12 text-neutral-11" title={t`Times in ${timeZone}`}>
          {localizeClock(describeCron(cron))} · <Name>{agentName ?? t`Agent block`}</Name> ·{' '}
          <Name>{projectName}</Name>
        </span>
      </span>
    </span>
  )
}

function NextCell({ schedule: { enabled, paused, nextRunAt } }: { schedule: Schedule }) {
  if (!enabled) return <Status meaning="neutral">Off</Status>
  if (paused)
    return (
      <span title={PAUSE_REASONS[paused.reason]}>
        <Status meaning="bad">Paused</Status>
        <span className="block max-w-form truncate text-12 text-neutral-11 @max-wide:hidden">
          {PAUSE_REASONS[paused.reason]}
        </span>
      </span>
    )
  return nextRunAt ? <Time at={nextRunAt} isExpected /> : <span className="text-neutral-11">Never</span>
}

const OUTCOMES = { skipped: t`Skipped`, failed: t`Not started` } as const

function LastCell({ schedule: { lastRun, lastRunAt, lastOutcome, lastError } }: { schedule: Schedule }) {
  if (lastOutcome === 'failed' || lastOutcome === 'skipped')
    return (
      <span title={lastError ?? undefined}>
        <Status meaning={lastOutcome === 'failed' ? 'bad' : 'warning'}>{OUTCOMES[lastOutcome]}</Status>
      </span>
    )
  if (!lastRun || !lastRunAt) return <span className="text-neutral-11">–</span>
  const { label, meaning } = describeRunStatus({
    status: lastRun.status,
    wait: null,
    cancelRequestedAt: null,
  })
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

interface ScheduleMenuProps {
  schedule: Schedule
  onEdit: () => void
  onDelete: () => void
}

function ScheduleMenu({ schedule, onEdit, onDelete }: ScheduleMenuProps) {
  const { id, name, canEdit } = schedule
  const navigate = useNavigate()
  const runNow = async () => {
    try {
      const { run } = await scheduleApi.schedules.run({ id })
      void refreshSchedules()
      const open = () => void navigate({ to: '/runs/$runId', params: { runId: run.id } })
      toast(withNames`Started ${name}`, { label: t`Open run`, run: open })
    } catch (error) {
      toastFailure(error)
    }
  }
  const trigger = (
    <Button look="quiet" size="small-icon" aria-label={textWithNames`Actions for ${name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      {canEdit && <MenuAction icon={Play} label="Run now" onSelect={() => void runNow()} />}
      <MenuAction
        icon={ListTree}
        label="Show runs"
        onSelect={() => void navigate({ to: '/runs', search: { schedule: id } })}
      />
      {canEdit && <MenuAction icon={Pencil} label="Edit" onSelect={onEdit} />}
      <MenuAction
        icon={Copy}
        label="Copy schedule ID"
        onSelect={() => void copyWithToast(id, t`schedule ID`)}
      />
      {canEdit && <MenuAction icon={Trash2} label="Delete" onSelect={onDelete} />}
    </Menu>
  )
}

/** Switching on a schedule the server paused resumes it with the user's permissions. */
function ScheduleSwitch({ schedule: { id, name, enabled, paused } }: { schedule: Schedule }) {
  const isOn = enabled && paused === null
  const change = useMutation({
    mutationFn: () => scheduleApi.schedules.update({ id, enabled: !isOn }),
    onSuccess: () => {
      toast(isOn ? withNames`Turned off ${name}` : withNames`Turned on ${name}`)
      return refreshSchedules()
    },
    onError: toastFailure,
  })
  return (
    <span className="relative flex h-16 w-32 shrink-0">
      <input
        type="checkbox"
        role="switch"
        aria-label={textWithNames`Run ${name}`}
        checked={isOn}
        aria-checked={isOn}
        disabled={change.isPending}
        onChange={() => change.mutate()}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-default"
      />
      <span
        aria-hidden
        className="pointer-events-none flex size-full items-center rounded-round bg-neutral-9 px-px transition-colors peer-checked:justify-end peer-checked:bg-selection-solid peer-focus-visible:outline-2 peer-focus-visible:outline-selection peer-focus-visible:outline-offset-2 peer-disabled:opacity-50"
      >
        <span className="size-12 rounded-round bg-card" />
      </span>
    </span>
  )
}
