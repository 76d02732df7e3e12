import type { z } from 'zod'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import { type MEMORY_CHANGES, MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { columns, type Draft, isMemoryVisible, type MemoryRow, type StoredStatus } from './records.ts'

export type Change = (typeof MEMORY_CHANGES)[number]

/** A user, or a run for the user who started it. */
export interface Writer {
  source: 'person' | 'run'
  userId: string
  runId: string | null
}

export interface NewText extends Draft {
  change: Change
  restoredFrom: number | null
  writer: Writer
  now: Date
}

export async function findMemory(sql: Sql, caller: Caller, id: string, lock: Fragment = sql``) {
  const [row] = await sql<MemoryRow[]>`
    select ${columns(sql, caller)} from memories m
    where m.org_id = ${caller.orgId} and m.id = ${id} and ${isMemoryVisible(sql, caller)} ${lock}`
  return row ?? null
}

export const lockMemory = (sql: Sql, caller: Caller, id: string) =>
  findMemory(sql, caller, id, sql`for no key update of m`)

export interface ActiveMemory extends Draft {
  id: string
  version: number
}

/** `spaceId` is a project or the organization itself. */
export async function lockByKey(sql: Sql, orgId: string, spaceId: string, key: string) {
  const [row] = await sql<ActiveMemory[]>`
    select m.id, m.key, m.content, m.tags, m.version from memories m
    where m.org_id = ${orgId} and m.space_id = ${spaceId} and m.key = ${key} and m.status = 'active'
    for no key update`
  return row ?? null
}

export interface NewMemory extends NewText {
  id: string
  projectId: string | null
  status: StoredStatus
  originProjectId: string | null
}

/** False if another active memory, or another proposal from the run, has the key. */
export async function insertMemory(sql: Sql, orgId: string, memory: NewMemory): Promise<boolean> {
  const { id, projectId, key, content, tags, status, writer, originProjectId, now } = memory
  const rows = await sql`
    insert into memories (org_id, id, project_id, key, content, tags, source, status, written_by, run_id,
      origin_project_id, created_at, updated_at)
    values (${orgId}, ${id}, ${projectId}, ${key}, ${content}, ${tags}, ${writer.source}, ${status}, ${writer.userId},
      ${writer.runId}, ${originProjectId}, ${now}, ${now})
    on conflict do nothing returning id`
  if (rows.length > 0) await insertVersion(sql, orgId, id, 1, memory)
  return rows.length > 0
}

/** The memory must be locked. */
export async function updateText(
  sql: Sql,
  orgId: string,
  { id, version }: { id: string; version: number },
  text: NewText,
): Promise<void> {
  const { key, content, tags, writer, now } = text
  await sql`
    update memories set key = ${key}, content = ${content}, tags = ${tags}, source = ${writer.source},
      written_by = ${writer.userId}, run_id = ${writer.runId}, version = ${version + 1}, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
  await insertVersion(sql, orgId, id, version + 1, text)
  await sql`
    delete from memory_versions
    where org_id = ${orgId} and memory_id = ${id} and version <= ${version + 1 - MEMORY_LIMITS.versions}`
}

async function insertVersion(
  sql: Sql,
  orgId: string,
  id: string,
  version: number,
  text: NewText,
): Promise<void> {
  const { change, key, content, tags, writer, restoredFrom, now } = text
  await sql`
    insert into memory_versions (org_id, memory_id, version, change, key, content, tags, source, written_by, run_id,
      restored_from, created_at)
    values (${orgId}, ${id}, ${version}, ${change}, ${key}, ${content}, ${tags}, ${writer.source}, ${writer.userId},
      ${writer.runId}, ${restoredFrom}, ${now})`
}

export async function deleteMemory(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from memories where org_id = ${orgId} and accepted_as = ${id}`
  await sql`delete from memories where org_id = ${orgId} and id = ${id}`
}

interface Decision {
  status: StoredStatus
  by: string | null
  at: Date | null
  acceptedAs?: string
  acceptedVersion?: number
}

export async function updateDecision(
  sql: Sql,
  orgId: string,
  id: string,
  { status, by, at, acceptedAs, acceptedVersion }: Decision,
): Promise<void> {
  await sql`
    update memories set status = ${status}, decided_by = ${by}, decided_at = ${at},
      accepted_as = ${acceptedAs ?? null}, accepted_version = ${acceptedVersion ?? null}
    where org_id = ${orgId} and id = ${id}`
}

export async function countProposals(sql: Sql, orgId: string, runId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from memories where org_id = ${orgId} and run_id = ${runId} and status = 'proposed'`
  return row!.count
}

export async function deleteAccepted(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from memories where org_id = ${orgId} and id = ${id}`
}

/** Also deletes proposals and prompt memories from the project's runs. */
export async function deleteProjectMemories(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const memories = await sql`
    delete from memories where org_id = ${orgId} and id = any(array(
      select id from memories
      where org_id = ${orgId}
        and (project_id = ${projectId} or (origin_project_id = ${projectId} and status <> 'active')) limit ${limit}))`
  if (memories.count > 0) return memories.count
  const { count } = await sql`
    delete from run_memories where org_id = ${orgId} and run_id = any(array(
      select m.run_id from runs r join run_memories m on m.org_id = r.org_id and m.run_id = r.id
      where r.org_id = ${orgId} and r.project_id = ${projectId} limit ${limit}))`
  return count
}

type VersionRow = z.output<typeof memory.versions.output>['items'][number]

export const listVersionRows = (
  sql: Sql,
  orgId: string,
  memoryId: string,
  { before, limit }: { before: number | null; limit: number },
) => sql<VersionRow[]>`
  select v.version, v.change, v.key, v.content, v.tags, v.source, v.run_id as "runId",
    v.restored_from as "restoredFrom", v.created_at as "createdAt", (
      select json_build_object('id', u.id, 'name', u.name) from users u where u.id = v.written_by
    ) as by
  from memory_versions v
  where v.org_id = ${orgId} and v.memory_id = ${memoryId} and ${before === null ? sql`true` : sql`v.version < ${before}`}
  order by v.version desc limit ${limit}`

export async function findVersion(sql: Sql, orgId: string, memoryId: string, version: number) {
  const [row] = await sql<Draft[]>`
    select key, content, tags from memory_versions
    where org_id = ${orgId} and memory_id = ${memoryId} and version = ${version}`
  return row ?? null
}
