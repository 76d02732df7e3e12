import type { z } from 'zod'
import type { NamedEvent } from '../../../../contract/webhooks/webhook-records.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { hasRole } from '../../../endpoint/permit.ts'
import { isUuid } from '../../../security/ids.ts'
import { isProjectVisible } from '../../projects/access/access.ts'
import type { EventRow } from '../event-records.ts'

type Names = Pick<z.output<typeof NamedEvent>, 'actor' | 'subject'>
type SubjectType = NonNullable<Names['subject']>['type']

const NO_NAMES: Names = { actor: null, subject: null }

/** Most specific first. */
const SUBJECTS: { field: string; type: SubjectType; path: string }[] = [
  { field: 'projectId', type: 'project', path: '/projects' },
  { field: 'agentId', type: 'agent', path: '/agents' },
  { field: 'skillId', type: 'skill', path: '/skills' },
  { field: 'webhookId', type: 'webhook', path: '/webhooks' },
]

/**
 * Only Atrium's own payloads name actors and subjects: ids in a sender's payload aren't looked up. Hides the actor if
 * the member can't see the subject.
 */
export async function nameEvents(
  { sql, caller }: Context,
  rows: readonly EventRow[],
): Promise<(row: EventRow) => Names> {
  const events = new Map(rows.flatMap((row) => (row.direction === 'internal' ? [[row.id, refsOf(row)]] : [])))
  const references = [...events.values()].flatMap(({ by, subject }) => [
    ...(by ? [{ type: 'user', id: by }] : []),
    ...(subject ? [{ type: subject.type, id: subject.id }] : []),
  ])
  if (references.length === 0) return () => NO_NAMES
  const names = await findNames(sql, caller, [
    ...new Map(references.map((ref) => [keyOf(ref), ref])).values(),
  ])
  const seesPayloads = hasRole('admin', caller)
  return ({ id }) => {
    const { by, subject } = events.get(id) ?? {}
    const name = subject && names.get(keyOf(subject))
    const actor = by ? names.get(keyOf({ type: 'user', id: by })) : undefined
    const isHidden = subject !== undefined && name === undefined
    return {
      actor: by && actor !== undefined && (seesPayloads || !isHidden) ? { id: by, name: actor } : null,
      subject:
        subject && name !== undefined ? { ...subject, name, path: `${subject.path}/${subject.id}` } : null,
    }
  }
}

interface Ref {
  type: string
  id: string
}

const keyOf = ({ type, id }: Ref) => `${type} ${id}`

function refsOf({ payload }: EventRow): {
  by?: string
  subject?: { type: SubjectType; id: string; path: string }
} {
  const data = (payload ?? {}) as Record<string, unknown>
  const idIn = (field: string) => {
    const value = data[field]
    return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined
  }
  const by = idIn('by')
  const subject = SUBJECTS.find(({ field }) => idIn(field) !== undefined)
  return {
    ...(by && { by }),
    ...(subject && { subject: { type: subject.type, id: idIn(subject.field)!, path: subject.path } }),
  }
}

/** Scalar subqueries look up ids by primary key, even without statistics. */
async function findNames(sql: Sql, caller: Caller, refs: readonly Ref[]): Promise<Map<string, string>> {
  const { orgId } = caller
  const inTable = (table: string): Fragment =>
    sql`select t.name from ${sql(table)} t where t.org_id = ${orgId} and t.id = r.id limit 1`
  const rows = await sql<(Ref & { name: string | null })[]>`
    select r.type, r.id, case r.type
      when 'user' then (
        select (select u.name from users u where u.id = m.user_id limit 1) from memberships m
        where m.org_id = ${orgId} and m.user_id = r.id limit 1)
      when 'project' then (
        select p.name from projects p
        where p.org_id = ${orgId} and p.id = r.id and p.deleted_at is null and ${isProjectVisible(sql, caller, sql`r.id`)}
        limit 1)
      when 'agent' then (${inTable('agents')})
      when 'skill' then (${inTable('skills')})
      when 'webhook' then (${inTable('webhooks')})
      end as name
    from unnest(${refs.map(({ type }) => type)}::text[], ${refs.map(({ id }) => id)}::uuid[]) as r (type, id)`
  return new Map(rows.flatMap(({ type, id, name }) => (name === null ? [] : [[keyOf({ type, id }), name]])))
}
