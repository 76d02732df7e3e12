import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../projects/access/access.ts'

export type Person = Pick<Caller, 'orgId' | 'userId' | 'role'>

/** The roles that notifications require and that the person has. */
const rolesOf = ({ role }: Person): string[] =>
  ({ member: [], admin: ['admin'], owner: ['admin', 'owner'] })[role]

/** Whether the person can still see the subject of the notification `n`. */
export const isVisible = (sql: Sql, person: Person): Fragment => sql`
  (n.role is null or n.role = any(${rolesOf(person)}::text[]))
  and (n.project_id is null or ${isProjectVisible(sql, person, sql`n.project_id`)})
  and (n.connection_id is null or exists (
    select from connections x where x.org_id = n.org_id and x.id = n.connection_id
      and (x.user_id = ${person.userId} or x.shared <> 'none')))
  and (n.comment_id is null or coalesce((
    select c.deleted_at is null and case c.target_type
        when 'block' then ${blockExists(sql)}
        when 'run' then true
        else ${isFileVisible(sql, person)} end
    from comments c where c.org_id = n.org_id and c.id = any(array[n.comment_id]) order by c.org_id, c.id limit 1), false))`

/**
 * Whether the block of the comment `c` is on its canvas. Here and above, the array, the order and `limit 1` make it a lookup by
 * the primary key: without statistics, the planner would compare all rows with each other.
 */
const blockExists = (sql: Sql): Fragment => sql`coalesce((
  select true from blocks b
  where b.org_id = c.org_id and b.project_id = any(array[c.project_id]) and b.id = any(array[c.target_id])
  order by b.org_id, b.project_id, b.id limit 1), false)`

/** Whether the person can see the file of the comment `c`, which may have moved to another project since. */
const isFileVisible = (sql: Sql, person: Person): Fragment => sql`exists (
  select from files f join folders d on d.org_id = f.org_id and d.id = f.parent_id
  where f.org_id = c.org_id and f.id = c.file_id and f.deleted_at is null and d.trashed_by is null
    and (d.project_id is null or ${isProjectVisible(sql, person, sql`d.project_id`)}))`
