import type { z } from 'zod'
import { counted } from '../../../../contract/counted.ts'
import { dictionary } from '../../../../contract/dictionary.ts'
import type { Health } from '../../../../contract/organizations/health.ts'
import { MISSING_PUBLIC_URL, runningTogether } from '../../../observability/heartbeat.ts'
import { CLOCK_OFFSET_MS_MAX, clockProblem } from '../../../processes/database-clock.ts'

export type HealthReport = z.output<typeof Health>
type Facts = Omit<HealthReport, 'status' | 'problems'>
type Problem = HealthReport['problems'][number]

const DAY_MS = 86_400_000
const LATE_S = { warning: 60, critical: 600 }
/** Sources sync in turns, four at a time. */
const SOURCES_LATE_S = { warning: 900, critical: 86_400 }
const DISK_FREE = { warning: 0.1, critical: 0.03 }
const CONNECTIONS_USED = { warning: 0.8, critical: 0.95 }
/** With few attempts, a failure rate isn't significant. */
const OUTCOMES_MIN = 20
const FAILED: Record<string, { warning: number; critical: number; phrase: string }> = dictionary({
  requests: { warning: 0.01, critical: 0.05, phrase: 'requests failed on the server' },
  jobs: { warning: 0.1, critical: 0.5, phrase: 'job runs failed' },
  deliveries: { warning: 0.5, critical: 0.9, phrase: 'delivery attempts failed' },
  modelCalls: { warning: 0.2, critical: 0.5, phrase: 'model calls failed' },
})

export function findProblems(
  facts: Facts,
  {
    isDatabaseFull,
    addresses,
    lacksPublicUrl,
  }: { isDatabaseFull: boolean; addresses: number; lacksPublicUrl: boolean },
): Problem[] {
  const problems = [
    ...(isDatabaseFull
      ? [critical('database_full', 'The database disk is full: changes fail. Free some space')]
      : []),
    ...workerProblems(facts),
    ...lateProblems(facts),
    ...failureProblems(facts),
    ...storageProblems(facts),
    ...standbyProblems(facts),
    ...backupProblems(facts),
    ...processProblems(facts),
    ...clockProblems(facts),
    ...(lacksPublicUrl && addresses > 1 ? [addressProblem(facts)] : []),
  ]
  return problems.toSorted((a, b) => Number(b.level === 'critical') - Number(a.level === 'critical'))
}

export const healthStatus = (problems: readonly Problem[]): HealthReport['status'] => {
  if (problems.length === 0) return 'ok'
  return problems.some(({ level }) => level === 'critical') ? 'critical' : 'warning'
}

function workerProblems({ jobs, mail }: Facts): Problem[] {
  return [
    ...(jobs.workers === 0 ? [critical('no_worker', 'No process runs jobs')] : []),
    ...(jobs.dead > 0 ? [warning('dead_jobs', `${counted(jobs.dead, 'job')} failed permanently`)] : []),
    ...(mail.unsent > 0
      ? [warning('emails_unsent', `${counted(mail.unsent, 'email')} could not be sent`)]
      : []),
  ]
}

const QUEUE_NAMES: Record<string, string> = dictionary({
  provider_events: 'provider events',
  emails: 'emails',
  sources: 'synced sources',
})

function lateProblems({ jobs, backlogs }: Facts): Problem[] {
  const queues = [
    { queue: 'jobs', lagSeconds: jobs.lagSeconds },
    ...backlogs.filter(({ queue }) => queue !== 'emails'),
  ]
  return queues.flatMap(({ queue, lagSeconds }) => {
    const level = levelAbove(lagSeconds, queue === 'sources' ? SOURCES_LATE_S : LATE_S)
    if (!level) return []
    const minutes = counted(Math.round(lagSeconds / 60), 'minute')
    return [
      {
        level,
        code: `${queue}_late`,
        message: `The oldest of the ${QUEUE_NAMES[queue] ?? queue} has waited for ${minutes}`,
      },
    ]
  })
}

const failureProblems = ({ outcomes, windowMinutes }: Facts): Problem[] =>
  outcomes.flatMap(({ name, total, failed }) => {
    const { phrase, ...limits } = FAILED[name]!
    const level = total < OUTCOMES_MIN ? null : levelAbove(failed / total, limits)
    const share = `${Math.round((failed / total) * 1000) / 10}%`
    return level
      ? [
          {
            level,
            code: `${name}_failing`,
            message: `${share} of the ${phrase} in the last ${windowMinutes} minutes`,
          },
        ]
      : []
  })

function storageProblems({ storage, disk, database }: Facts): Problem[] {
  const free = disk && disk.totalBytes > 0 ? disk.freeBytes / disk.totalBytes : 1
  const diskLevel = levelAbove(1 - free, { warning: 1 - DISK_FREE.warning, critical: 1 - DISK_FREE.critical })
  const { connections, connectionsMax } = database
  const connectionLevel = levelAbove(connections / connectionsMax, CONNECTIONS_USED)
  return [
    ...(storage.available
      ? []
      : [critical('storage_unavailable', storage.problem ?? 'The file storage does not respond')]),
    ...(storage.full ? [critical('storage_full', 'The file storage is full: uploads fail')] : []),
    ...(diskLevel
      ? [{ level: diskLevel, code: 'disk_full', message: `${Math.round(free * 100)}% of the disk is free` }]
      : []),
    ...(connectionLevel
      ? [
          {
            level: connectionLevel,
            code: 'connections_exhausted',
            message: `${connections} of ${connectionsMax} database connections are used`,
          },
        ]
      : []),
  ]
}

function standbyProblems({ database: { standby } }: Facts): Problem[] {
  if (!standby) return []
  if (!standby.lag)
    return [warning('standby_unavailable', 'The standby does not respond: the primary runs all lists')]
  const level = levelAbove(standby.lag.seconds, { warning: LATE_S.warning, critical: Infinity })
  const minutes = counted(Math.round(standby.lag.seconds / 60), 'minute')
  return level ? [warning('standby_late', `The standby is ${minutes} behind the primary`)] : []
}

function backupProblems({ backup: { last, isOverdue }, at }: Facts): Problem[] {
  if (!last)
    return isOverdue ? [warning('backup_overdue', 'No backup is recorded: run "atrium-server backup"')] : []
  const days = Math.floor((Date.parse(at) - Date.parse(last.createdAt)) / DAY_MS)
  const lacking = counted(last.lackingObjects, 'file')
  return [
    ...(isOverdue ? [warning('backup_overdue', `The last backup is ${counted(days, 'day')} old`)] : []),
    ...(last.lackingObjects > 0
      ? [warning('backup_incomplete', `The last backup lacks ${lacking}: see its manifest.json`)]
      : []),
  ]
}

function processProblems({ processes }: Facts): Problem[] {
  const lost = processes.filter(({ isAlive }) => !isAlive)
  const versions = new Set(processes.filter(({ isAlive }) => isAlive).map(({ version }) => version))
  return [
    ...lost.map(({ host, pid, role }) =>
      warning('process_lost', `The ${role} process ${pid} on ${host} ended without a shutdown`),
    ),
    ...(versions.size > 1
      ? [
          warning(
            'versions_differ',
            `Processes with different versions are running: ${[...versions].sort().join(', ')}`,
          ),
        ]
      : []),
  ]
}

const clockProblems = ({ processes }: Facts): Problem[] =>
  processes
    .filter(({ isAlive, clockOffsetMs }) => isAlive && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MS_MAX)
    .map(({ host, pid, role, clockOffsetMs }) => {
      const consequence = role === 'api' ? '' : ', so it runs no jobs'
      const message = `On ${host}, ${clockProblem(clockOffsetMs)}${consequence}: synchronize it (NTP). Process ${pid}, role ${role}`
      return role === 'api' ? warning('clock_wrong', message) : critical('clock_wrong', message)
    })

function addressProblem({ processes }: Facts): Problem {
  const count = runningTogether(processes).length
  return warning('public_url_missing', `${count} processes run: ${MISSING_PUBLIC_URL}`)
}

const levelAbove = (value: number, limits: { warning: number; critical: number }) => {
  if (value > limits.critical) return 'critical' as const
  return value > limits.warning ? ('warning' as const) : null
}

const warning = (code: string, message: string): Problem => ({ level: 'warning', code, message })
const critical = (code: string, message: string): Problem => ({ level: 'critical', code, message })
