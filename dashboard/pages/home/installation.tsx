import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { HEALTH_LIMITS } from '../../../contract/organizations/health-options.ts'
import { formatSize } from '../../components/amounts.ts'
import { Block } from '../../components/layout/block.tsx'
import { type Meaning, Status } from '../../components/status.tsx'
import { relativeTime } from '../../components/time.tsx'
import type { Home } from './home-query.ts'

type Health = NonNullable<Home['health']>

/** For operators: queues, problems, and the required actions. */
export function Installation({ health }: { health: Health }) {
  return (
    <Block title="Installation" headingEnd={<Link to="/operate/health">Health</Link>}>
      <ul>
        {linesOf(health).map(({ name, meaning, label, link }) => (
          <li
            key={name}
            className="relative flex min-h-row flex-wrap items-center justify-between gap-x-12 border-neutral-6 border-b pl-4 text-13 hover:bg-neutral-2 has-[:focus-visible]:bg-neutral-3"
          >
            <span className="[&>a]:row-link [&>a]:outline-none">{link ?? name}</span>
            <Status meaning={meaning}>{label}</Status>
          </li>
        ))}
      </ul>
    </Block>
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
    { name: 'Jobs', ...jobState(jobs), link: <Link to="/operate/jobs">Jobs</Link> },
    { name: 'Email', ...mailState(mail) },
    {
      name: 'File storage',
      meaning: storage.available && !storage.full ? 'good' : 'bad',
      label: storage.full ? 'No space left' : storage.available ? 'Available' : 'Unavailable',
    },
    ...(disk ? [{ name: 'Disk', ...diskState(disk) }] : []),
    { name: 'Last backup', ...backupState(backup) },
    {
      name: 'Feedback',
      meaning: openFeedback > 0 ? 'info' : 'good',
      label: openFeedback > 0 ? `${openFeedback >= 100 ? '100 or more' : openFeedback} open` : 'None open',
      link: (
        <Link to="/operate/feedback" search={openFeedback > 0 ? { status: 'open' } : {}}>
          Feedback
        </Link>
      ),
    },
  ]
}

function jobState({ dead, waiting, lagSeconds, workers }: Health['jobs']): Omit<Line, 'name'> {
  if (workers === 0) return { meaning: 'bad', label: 'No workers running' }
  if (dead > 0) return { meaning: 'bad', label: `${dead} failed` }
  if (lagSeconds > LAG_WARNING_S)
    return { meaning: 'warning', label: `${Math.round(lagSeconds / 60)} min behind` }
  if (waiting === 0) return { meaning: 'good', label: 'None waiting' }
  return { meaning: 'good', label: `${waiting >= HEALTH_LIMITS.counted ? 'Many' : waiting} waiting` }
}

function mailState({ configured, unsent }: Health['mail']): Omit<Line, 'name'> {
  if (!configured) return { meaning: 'warning', label: 'Not configured' }
  return unsent > 0 ? { meaning: 'bad', label: `${unsent} not sent` } : { meaning: 'good', label: 'Working' }
}

function backupState({ last, isOverdue }: Health['backup']): Omit<Line, 'name'> {
  if (!last)
    return isOverdue ? { meaning: 'warning', label: 'Never' } : { meaning: 'info', label: 'None yet' }
  const age = relativeTime(new Date(last.createdAt), new Date(), false)
  return isOverdue ? { meaning: 'warning', label: `Overdue (${age})` } : { meaning: 'good', label: age }
}

function diskState({ freeBytes, totalBytes }: NonNullable<Health['disk']>): Omit<Line, 'name'> {
  const share = totalBytes === 0 ? 1 : freeBytes / totalBytes
  const meaning = share < DISK_BAD ? 'bad' : share < DISK_WARNING ? 'warning' : 'good'
  return { meaning, label: `${formatSize(freeBytes)} free` }
}
