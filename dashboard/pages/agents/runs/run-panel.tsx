import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Maximize2, Undo2, Workflow, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type AgentRun, changesQuery, isActive, runQuery, stepsQuery } from '../../../api/runs.ts'
import { formatDuration, formatRunCost, runCostTitle } from '../../../components/amounts.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { formatMoment } from '../../../components/dates.ts'
import { AgentFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { FactCell } from '../../../components/layout/fact.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { RunResult } from '../../../components/results/run-result.tsx'
import { UndoDialog } from '../../../components/runs/undo-dialog.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { isTyping, useLayer } from '../../../state/layers.ts'
import { useSeconds } from '../../../state/timers.ts'
import { RunChanges } from './changes/run-changes.tsx'
import { CancelButton, RetryButton } from './run-actions.tsx'
import { OpenForms } from './run-forms.tsx'
import { runDurationMs, runTitle, TRIGGERS } from './run-labels.ts'
import { RunNotice } from './run-notice.tsx'
import { StatusPill } from './run-status.tsx'
import { ShortTimeline } from './timeline/short-timeline.tsx'
import { useRunStream } from './use-run-stream.ts'

interface RunPanelProps {
  runId: string
  /** The list beside it, for previous and next. */
  ids: readonly string[]
}

export function RunPanel({ runId, ids }: RunPanelProps) {
  const navigate = useNavigate()
  const run = useQuery(runQuery(runId))
  const open = (id: string | undefined) =>
    void navigate({
      to: '/runs',
      search: (previous) => ({ ...previous, run: id }),
      replace: id !== undefined,
    })
  const close = () => {
    open(undefined)
    focusRow(runId)
  }
  const ref = useRef<HTMLElement>(null)
  useLayer(({ target }) => (isTyping(target) ? false : close()))
  useEffect(() => {
    // From the list, the row keeps the focus, so the arrow keys go on.
    if (!document.activeElement?.closest('[data-row]')) ref.current?.focus({ preventScroll: true })
  }, [])
  const index = ids.indexOf(runId)
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      aria-label={run.data ? runTitle(run.data) : t`Run`}
      data-panel
      className="animate-slide absolute inset-y-0 right-0 z-20 flex w-full flex-col bg-card shadow-float outline-none md:w-panel lg:static lg:shrink-0 lg:border-neutral-6 lg:border-l lg:shadow-none"
    >
      <header className="flex shrink-0 items-center gap-8 px-16 py-12 md:px-24">
        {run.data && <StatusPill run={run.data} />}
        <span className="min-w-0 flex-1 truncate text-12 text-neutral-11">
          {run.data && formatMoment(run.data.createdAt)}
        </span>
        <Step icon={ChevronLeft} label="Previous run" id={ids[index - 1]} onOpen={open} />
        <Step
          icon={ChevronRight}
          label="Next run"
          id={index < 0 ? undefined : ids[index + 1]}
          onOpen={open}
        />
        <Link
          to="/runs/$runId"
          params={{ runId }}
          aria-label="Open full page"
          title="Open full page"
          className={buttonClass('quiet', 'icon')}
        >
          <Maximize2 aria-hidden className="icon" />
        </Link>
        <Button look="quiet" size="icon" aria-label="Close panel" onClick={close}>
          <X aria-hidden className="icon" />
        </Button>
      </header>
      <div className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {run.isPending && <SkeletonRows rows={5} />}
        {run.error && !run.data && (
          <RecordFailure
            error={run.error}
            onRetry={() => run.refetch()}
            title="Run not found"
            to="/runs"
            action="All runs"
          />
        )}
        {run.data && <Content key={runId} run={run.data} />}
      </div>
    </aside>
  )
}

interface StepProps {
  icon: typeof ChevronLeft
  label: string
  id: string | undefined
  onOpen: (id: string) => void
}

const Step = ({ icon: Icon, label, id, onOpen }: StepProps) => (
  <Button
    look="quiet"
    size="icon"
    aria-label={label}
    title={label}
    disabled={id === undefined}
    onClick={() => onOpen(id!)}
  >
    <Icon aria-hidden className="icon" />
  </Button>
)

/** The cause of a failure and the way on come before what happened. */
function Content({ run }: { run: AgentRun }) {
  const { id, kind, agentId, agentName, projectId, projectName } = run
  const isLive = isActive(run)
  const steps = useQuery(stepsQuery(id))
  const now = useSeconds(isLive)
  useRunStream(id, isLive)
  const duration = runDurationMs(run, now)
  return (
    <>
      <div className="flex items-center gap-12 px-16 pb-16 md:px-24">
        {kind === 'workflow' ? (
          <span className="grid size-32 shrink-0 place-items-center rounded-square bg-neutral-4 text-neutral-11">
            <Workflow aria-hidden className="icon" />
          </span>
        ) : (
          <AgentFace agent={{ id: agentId, name: agentName }} size={32} isLive={run.status === 'running'} />
        )}
        <div className="min-w-0">
          <h2 className="line-clamp-2 font-strong text-20 tracking-heading">
            <Name>{runTitle(run)}</Name>
          </h2>
          <p className="truncate text-13 text-neutral-11">
            {kind === 'workflow' ? (
              t`Workflow`
            ) : (
              <Link to="/agents/$id" params={{ id: agentId }} className="hover:underline">
                <Name>{agentName}</Name>
              </Link>
            )}
            {' · '}
            <Link to="/projects/$ref" params={{ ref: projectId }} className="hover:underline">
              <Name>{projectName}</Name>
            </Link>
          </p>
        </div>
      </div>
      <RunNotice run={run} />
      <OpenForms run={run} />
      <Actions run={run} />
      <dl className="flex flex-wrap justify-between gap-x-24 gap-y-12 border-neutral-6 border-y px-16 py-12 text-13 md:px-24">
        <FactCell label="Time">{duration === null ? t`Not started` : formatDuration(duration)}</FactCell>
        <FactCell label="Cost">
          <span title={runCostTitle(run.cost)}>{formatRunCost(run.cost)}</span>
        </FactCell>
        {kind === 'agent' && (
          <FactCell label="Model">
            <span className="block truncate" title={run.model}>
              {run.model.split('/').at(-1)}
            </span>
          </FactCell>
        )}
        <FactCell label="Started by">
          <Name>{run.createdByName}</Name>
          {run.trigger !== 'message' && `, ${TRIGGERS[run.trigger]}`}
        </FactCell>
      </dl>
      {run.hasOutput && (
        <div className="px-16 pt-16 md:px-24">
          <RunResult runId={id} />
        </div>
      )}
      {steps.data && steps.data.items.length > 0 && (
        <section aria-label="Timeline" className="px-16 pt-16 md:px-24">
          <ShortTimeline run={run} steps={steps.data.items} now={now} />
        </section>
      )}
      {kind === 'agent' && steps.data?.items.length === 0 && (
        <p className="px-16 pt-16 text-13 text-neutral-11 md:px-24">
          {isLive ? t`The first step starts soon.` : t`The run ended before its first step.`}
        </p>
      )}
      {steps.error && !steps.data && <Failure error={steps.error} onRetry={() => steps.refetch()} />}
      <RunChanges run={run} withUndo={false} />
    </>
  )
}

function Actions({ run }: { run: AgentRun }) {
  const { id, canEdit, status, sessionId, kind, restoredAt } = run
  const changes = useInfiniteQuery(changesQuery(id))
  const [isUndoing, setUndoing] = useState(false)
  const isOver = !isActive(run)
  const count = changes.data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  const canUndo = canEdit && isOver && count > 0 && !restoredAt
  return (
    <div className="flex flex-wrap gap-8 px-16 py-12 md:px-24">
      {canEdit && !isOver && <CancelButton run={run} />}
      {canEdit && (status === 'failed' || status === 'canceled') && <RetryButton run={run} />}
      {canUndo && (
        <Button onClick={() => setUndoing(true)}>
          <Undo2 aria-hidden className="icon" />
          {changes.hasNextPage
            ? t`Undo changes…`
            : count === 1
              ? t`Undo 1 change…`
              : t`Undo ${count} changes…`}
        </Button>
      )}
      {kind === 'agent' && (
        <Link to="/chat/$sessionId" params={{ sessionId }} search={{}} className={buttonClass('plain')}>
          Open in chat
        </Link>
      )}
      {isUndoing && <UndoDialog run={run} onClose={() => setUndoing(false)} />}
    </div>
  )
}
