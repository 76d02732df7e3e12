import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { counted } from '../../../contract/counted.ts'
import { LOCALE, t } from '../../../contract/text.ts'
import { projectRef } from '../../api/projects.ts'
import { formatCost, formatTokens } from '../../components/amounts.ts'
import { Bars } from '../../components/charts/sparkline.tsx'
import { formatDay } from '../../components/dates.ts'
import { Block } from '../../components/layout/block.tsx'
import { Name } from '../../components/name.tsx'
import { Time } from '../../components/time.tsx'
import { AttentionList } from './attention-list.tsx'
import type { Home } from './home-query.ts'
import { Installation } from './installation.tsx'
import { NewsList } from './news-list.tsx'

export function Overview({ home, children }: { home: Home; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-48 gap-y-32 @wide:grid-cols-3">
      <div className="flex min-w-0 flex-col gap-32 @wide:col-span-2">
        <AttentionList home={home} />
        <NewsList home={home} />
        {children}
      </div>
      <div className="flex min-w-0 flex-col gap-32">
        <ProjectList projects={home.projects} />
        <UsageCharts usage={home.usage} />
        {home.health && <Installation health={home.health} />}
      </div>
    </div>
  )
}

function ProjectList({ projects }: { projects: Home['projects'] }) {
  if (projects.length === 0) return null
  return (
    <Block title="Your projects" headingEnd={<Link to="/projects">All projects</Link>}>
      <ul>
        {projects.map((project) => (
          <li
            key={project.id}
            className="relative flex h-row items-center gap-12 border-neutral-6 border-b text-13 hover:bg-hover has-[:focus-visible]:bg-hover"
          >
            <Link
              to="/projects/$ref"
              params={{ ref: projectRef(project) }}
              data-row-link={project.id}
              className="row-link min-w-0 flex-1 truncate pl-4 outline-none"
            >
              {project.emoji && <span aria-hidden>{project.emoji} </span>}
              <Name>{project.name}</Name>
            </Link>
            {project.visibility === 'private' && (
              <Lock role="img" aria-label="Private" className="icon text-neutral-10" />
            )}
            <span className="pr-4 text-12 text-neutral-11 tabular-nums">
              <Time at={project.lastActivityAt} />
            </span>
          </li>
        ))}
      </ul>
    </Block>
  )
}

/** Covers two weeks: model calls, phone calls, messages and payments. */
function UsageCharts({ usage }: { usage: Home['usage'] }) {
  const { days, cost, calls, tokens, isOwn } = usage
  if (calls === 0) return null
  return (
    <Block
      title={isOwn ? t`Your usage` : t`Usage`}
      note={t`${days.length} days`}
      headingEnd={<Link to="/settings/organization/usage">Details</Link>}
    >
      <div className="grid grid-cols-2 gap-24 pt-12">
        <Chart
          title="Cost"
          total={formatCost(cost)}
          note={t`${formatCost(days.at(-1)!.cost)} today`}
          days={days.map(({ day, cost }) => ({ day, value: Number(cost.amount) }))}
          format={(value) => formatCost({ amount: String(value) })}
        />
        <Chart
          title="Entries"
          total={calls.toLocaleString(LOCALE)}
          note={t`${formatTokens(tokens)} tokens`}
          days={days.map(({ day, calls }) => ({ day, value: calls }))}
          format={(value) => counted(value, 'entry', 'entries')}
        />
      </div>
    </Block>
  )
}

interface ChartProps {
  title: string
  total: string
  note: string
  days: { day: string; value: number }[]
  format: (value: number) => string
}

function Chart({ title, total, note, days, format }: ChartProps) {
  return (
    <figure className="flex min-w-0 flex-col gap-8">
      <figcaption className="flex flex-col">
        <span className="text-12 text-neutral-11">{title}</span>
        <span className="truncate font-strong text-20 tabular-nums">{total}</span>
        <span className="truncate text-12 text-neutral-11 tabular-nums">{note}</span>
      </figcaption>
      <Bars
        marksLast
        height={48}
        values={days.map(({ value }) => value)}
        titleOf={(value, index) => `${formatDay(days[index]!.day)}: ${format(value)}`}
        label={t`${title} per day, ${formatDay(days[0]!.day)} to ${formatDay(days.at(-1)!.day)}: ${total}`}
      />
    </figure>
  )
}
