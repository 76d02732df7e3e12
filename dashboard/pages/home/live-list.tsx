import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { formatRunCost, runCostTitle } from '../../components/amounts.ts'
import { AgentFace } from '../../components/faces.tsx'
import { Name } from '../../components/name.tsx'
import type { Home } from './home-query.ts'
import { CARD, HomeSection, PageLink, ROW } from './section.tsx'

type LiveRun = Home['live'][number]

export function LiveList({ live }: { live: LiveRun[] }) {
  if (live.length === 0) return null
  return (
    <HomeSection title={t`Working now`} end={<Link to="/runs">All runs</Link>}>
      <ul className={CARD}>
        {live.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
    </HomeSection>
  )
}

function Run({
  run: { id, title, agent, project, scheduleName, steps, cost, startedAt, createdAt },
}: {
  run: LiveRun
}) {
  return (
    <li className={`${ROW} flex items-center gap-12 px-16 py-12`}>
      <AgentFace agent={agent} isLive />
      <div className="min-w-0 flex-1">
        <PageLink path={`/runs/${id}`} id={id} className="block truncate font-medium text-13">
          <Name>{title || agent.name}</Name>
        </PageLink>
        <p className="truncate text-12 text-neutral-11">
          <Name>
            {scheduleName
              ? textWithNames`${agent.name}, started by “${scheduleName}”`
              : textWithNames`${agent.name} in ${project.name}`}
          </Name>
          {steps > 0 && t`, step ${steps}`}
        </p>
      </div>
      <StepStrip steps={steps} />
      <span className="w-row shrink-0 text-right text-12 text-neutral-11 tabular-nums">
        <Elapsed since={startedAt ?? createdAt} />
      </span>
      <span
        title={runCostTitle(cost)}
        className="w-row shrink-0 text-right text-12 text-neutral-11 tabular-nums max-sm:hidden"
      >
        {formatRunCost(cost)}
      </span>
    </li>
  )
}

/** As many as fit; earlier steps of a long run are left out. */
const SHOWN_MAX = 8

/** Finished steps, then the one in progress. */
function StepStrip({ steps }: { steps: number }) {
  const shown = Math.min(Math.max(steps, 1), SHOWN_MAX)
  return (
    <span aria-hidden className="flex w-48 shrink-0 gap-2 sm:w-status">
      {Array.from({ length: shown }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their order.
          key={index}
          className={`h-4 flex-1 rounded-round bg-accent-mark ${index === shown - 1 ? 'opacity-60 motion-safe:animate-pulse' : ''}`}
        />
      ))}
    </span>
  )
}

const SECOND_MS = 1000

function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return formatClock(Math.max(0, now - Date.parse(since)))
}

/** `1:12`, `1:04:40`. */
function formatClock(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
