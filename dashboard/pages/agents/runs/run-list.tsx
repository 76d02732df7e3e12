import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import type { MouseEvent } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type AgentRun, isActive, type RunStripItem, stripsQuery } from '../../../api/runs.ts'
import {
  formatCost,
  formatDuration,
  formatRunCost,
  isCostKnown,
  runCostTitle,
} from '../../../components/amounts.ts'
import { RunStrip } from '../../../components/charts/run-strip.tsx'
import { formatClock, formatExact } from '../../../components/dates.ts'
import { AgentFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { WAIT_LABELS } from '../../../components/run-waits.ts'
import { groupByDay } from './run-groups.ts'
import { runDurationMs, runTitle } from './run-labels.ts'
import { StatusIcon } from './run-status.tsx'

interface RunListProps {
  pages: readonly (readonly AgentRun[])[]
  currentId: string | undefined
  now: number
}

export function RunList({ pages, currentId, now }: RunListProps) {
  const strips = useQueries({
    queries: pages.map((page) => stripsQuery(page)),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.items.map((item) => [item.runId, item.segments]) ?? [])),
  })
  return (
    <div className="max-w-sheet pb-24">
      {groupByDay(pages.flat(), now).map(({ label, runs }, index) => (
        <section key={label} aria-label={label}>
          <h2
            className={
              index === 0 && label === t`Today`
                ? 'sr-only'
                : 'px-16 pt-16 pb-4 text-12 text-neutral-11 md:px-24'
            }
          >
            {label}
          </h2>
          <ul className="px-4 md:px-12">
            {runs.map((run) => (
              <RunRow
                key={run.id}
                run={run}
                segments={strips.get(run.id)}
                isCurrent={run.id === currentId}
                hasPanel={currentId !== undefined}
                now={now}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface RunRowProps {
  run: AgentRun
  segments: RunStripItem['segments'] | undefined
  isCurrent: boolean
  /** Another run then takes its place, so Back leaves the list. */
  hasPanel: boolean
  now: number
}

/** The panel needs room; narrower windows open the page. */
const PANEL_FITS = '(min-width: 860px)'

function RunRow({ run, segments, isCurrent, hasPanel, now }: RunRowProps) {
  const { id, kind, agentId, agentName, cost, createdAt, startedAt } = run
  const navigate = useNavigate()
  const ms = runDurationMs(run, now)
  const openPanel = (event: MouseEvent) => {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (opensElsewhere || !matchMedia(PANEL_FITS).matches) return
    event.preventDefault()
    void navigate({ to: '/runs', search: (previous) => ({ ...previous, run: id }), replace: hasPanel })
  }
  return (
    <li
      data-row
      aria-current={isCurrent || undefined}
      className="relative flex min-h-48 items-center gap-12 rounded-control px-12 py-4 text-13 tabular-nums [contain-intrinsic-size:auto_48px] [content-visibility:auto] before:pointer-events-none before:absolute before:inset-x-12 before:bottom-0 before:h-px before:bg-neutral-6 last:before:hidden hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover aria-[current=true]:bg-selected"
    >
      <StatusIcon run={run} />
      {kind === 'workflow' ? (
        <span className="grid size-24 shrink-0 place-items-center rounded-square bg-neutral-4 text-neutral-11">
          <Workflow aria-hidden className="icon" />
        </span>
      ) : (
        <AgentFace agent={{ id: agentId, name: agentName }} />
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <Link
          to="/runs/$runId"
          params={{ runId: id }}
          data-row-link={id}
          title={runTitle(run)}
          onClick={openPanel}
          className="row-link truncate font-medium outline-none"
        >
          <Name>{runTitle(run)}</Name>
        </Link>
        <span className="truncate text-12 text-neutral-11">
          <span className="@medium:hidden">
            {ms !== null && `${formatDuration(ms)} · `}
            {isCostKnown(cost) && `${formatCost(cost)} · `}
          </span>
          {describeOrigin(run)}
        </span>
      </span>
      <span className="hidden @wide:block">{segments && <RunStrip segments={segments} />}</span>
      <span className="hidden w-[72px] whitespace-nowrap text-right text-neutral-11 @medium:block">
        {startedAt === null || ms === null ? '' : formatDuration(ms)}
      </span>
      <span
        title={runCostTitle(cost)}
        className="hidden w-[56px] whitespace-nowrap text-right text-neutral-11 @medium:block"
      >
        {formatRunCost(cost)}
      </span>
      <time
        dateTime={createdAt}
        title={formatExact(createdAt)}
        className="w-[60px] shrink-0 whitespace-nowrap text-right text-12 text-neutral-11"
      >
        {isActive(run) && run.status === 'running' ? t`now` : formatClock(createdAt)}
      </time>
    </li>
  )
}

/** `Planner, asked by Ada` */
function describeOrigin(run: AgentRun): string {
  const { kind, status, wait, agentName } = run
  const who = kind === 'workflow' ? t`Workflow` : agentName
  const origin = `${who}, ${ORIGINS[run.trigger](run)}`
  return status === 'waiting' && wait ? `${WAIT_LABELS[wait.for]} · ${origin}` : origin
}

const ORIGINS: Record<AgentRun['trigger'], (run: AgentRun) => string> = {
  message: ({ createdByName }) => textWithNames`asked by ${createdByName}`,
  provider_event: () => t`started by an event`,
  call: () => t`on the phone`,
  api: ({ createdByName }) => textWithNames`over the API by ${createdByName}`,
  schedule: () => t`on schedule`,
  block: ({ createdByName }) => textWithNames`from the canvas by ${createdByName}`,
}
