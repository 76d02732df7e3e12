import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { HEALTH_LIMITS } from '../../../contract/organizations/health-options.ts'
import { t } from '../../../contract/text.ts'
import { formatSize } from '../../components/amounts.ts'
import { type Meaning, Status } from '../../components/status.tsx'
import { relativeTime } from '../../components/time.tsx'
import type { Home } from './home-query.ts'
import { CARD, HomeSection, ROW } from './section.tsx'

type Health = NonNullable<Home['health']>

export function Installation({ health }: { health: Health }) {
  return (
    <HomeSection title={t`Installation`} end={<Link to="/operate/health">Health</Link>}>
      <ul className={CARD}>
        {linesOf(health).map(({ name, meaning, label, link }) => (
          <li
            key={name}
            className={`${ROW} flex min-h-32 flex-wrap items-center justify-between gap-x-12 px-16 py-4 text-13`}
          >
            <span className="[&>a]:row-link [&>a]:outline-none">{link ?? name}</span>
            <Status meaning={meaning}>{label}</Status>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}

interface Line {
  name: string
  meaning: Meaning
  label: string
  link?: ReactNode
}

const LAG_WARNING_S = 60
const DISK_WARNING = 0.1
const DISK_BAD = 0.03

function linesOf({ jobs, mail, storage, disk, backup, openFeedback }: Health): Line[] {
  return [
    { name: t`Jobs`, ...jobState(jobs), link: <Link to="/operate/jobs">Jobs</Link> },
    { name: t`Email`, ...mailState(mail) },
    {
      name: t`File storage`,
      meaning: storage.available && !storage.full ? 'good' : 'bad',
      label: storage.full ? t`No space left` : storage.available ? t`Available` : t`Unavailable`,
    },
    ...(disk ? [{ name: t`Disk`, ...diskState(disk) }] : []),
    { name: t`Last backup`, ...backupState(backup) },
    {
      name: t`Feedback`,
      meaning: openFeedback > 0 ? 'info' : 'good',
      label:
        openFeedback > 0
          ? openFeedback >= 100
            ? t`100 or more open`
            : t`${openFeedback} open`
          : t`None open`,
      link: (
        <Link to="/operate/feedback" search={openFeedback > 0 ? { status: 'open' } : {}}>
          Feedback
        </Link>
      ),
    },
  ]
}

function jobState({ dead, waiting, lagSeconds, workers }: Health['jobs']): Omit<Line, 'name'> {
  if (workers === 0) return { meaning: 'bad', label: t`No workers running` }
  if (dead > 0) return { meaning: 'bad', label: t`${dead} failed` }
  if (lagSeconds > LAG_WARNING_S)
    return { meaning: 'warning', label: t`${Math.round(lagSeconds / 60)} min behind` }
  if (waiting === 0) return { meaning: 'good', label: t`None waiting` }
  return {
    meaning: 'good',
    label: waiting >= HEALTH_LIMITS.counted ? t`Many waiting` : t`${waiting} waiting`,
  }
}

function mailState({ configured, unsent }: Health['mail']): Omit<Line, 'name'> {
  if (!configured) return { meaning: 'warning', label: t`Not configured` }
  return unsent > 0
    ? { meaning: 'bad', label: t`${unsent} not sent` }
    : { meaning: 'good', label: t`Working` }
}

function backupState({ last, isOverdue }: Health['backup']): Omit<Line, 'name'> {
  if (!last)
    return isOverdue ? { meaning: 'warning', label: t`Never` } : { meaning: 'info', label: t`None yet` }
  const age = relativeTime(new Date(last.createdAt), new Date(), false)
  return isOverdue ? { meaning: 'warning', label: t`Overdue (${age})` } : { meaning: 'good', label: age }
}

function diskState({ freeBytes, totalBytes }: NonNullable<Health['disk']>): Omit<Line, 'name'> {
  const share = totalBytes === 0 ? 1 : freeBytes / totalBytes
  const meaning = share < DISK_BAD ? 'bad' : share < DISK_WARNING ? 'warning' : 'good'
  return { meaning, label: t`${formatSize(freeBytes)} free` }
}
