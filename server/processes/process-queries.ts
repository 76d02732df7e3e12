import type { Sql } from '../database/database.ts'
import type { OrganizationLoad } from './load.ts'
import type { Outcomes } from './outcome-counts.ts'

/** The report of a process. */
export interface Figures {
  rssBytes: number
  heapBytes: number
  /** The share of the time that the event loop was busy since the last heartbeat. */
  busy: number
  openStreams: number
  /** How far its clock is ahead of the database. Absent in rows of former versions. */
  clockOffsetMs?: number
  /** Absent in rows of former versions. */
  hasPublicUrl?: boolean
  /** The outcomes of the last five minutes. */
  outcomes: Outcomes
  organizations: OrganizationLoad[]
}

export interface ProcessIdentity {
  id: string
  role: string
  version: string
  host: string
  pid: number
}

export interface ProcessRow extends ProcessIdentity {
  startedAt: string
  seenAt: string
  /** Whether it has reported within half a minute. */
  isAlive: boolean
  figures: Figures
}

/** Three missed heartbeats. Workers count as dead after the same time. */
const DEAD_AFTER_S = 30
/** How long a killed process is shown. */
const KEPT_HOURS = 1
const LISTED_MAX = 100

export async function saveProcess(sql: Sql, process: ProcessIdentity, figures: Figures): Promise<void> {
  const { id, role, version, host, pid } = process
  await sql`
    with old as (delete from server_processes where seen_at < now() - make_interval(hours => ${KEPT_HOURS}))
    insert into server_processes (id, role, version, host, pid, started_at, seen_at, figures)
    values (${id}, ${role}, ${version}, ${host}, ${pid}, now(), now(), ${sql.json(figures as never)})
    on conflict (id) do update set seen_at = now(), figures = excluded.figures`
}

export async function deleteProcess(sql: Sql, id: string): Promise<void> {
  await sql`delete from server_processes where id = ${id}`
}

export const listProcesses = (sql: Sql) => sql<ProcessRow[]>`
  select id, role, version, host, pid, started_at as "startedAt", seen_at as "seenAt",
    seen_at > now() - make_interval(secs => ${DEAD_AFTER_S}) as "isAlive", figures
  from server_processes order by started_at, id limit ${LISTED_MAX}`
