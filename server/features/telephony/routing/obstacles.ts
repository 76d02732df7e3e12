import type { Fragment, Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'

/** Why an action cannot be carried out at present, as text for people. */
export const OBSTACLES = {
  owner_left: 'The member who last changed the rule has left the organization.',
  access_lost: 'The member who last changed the rule cannot edit the project.',
  project_deleted: 'The project of the number is deleted.',
  agent_missing: 'The agent is archived or deleted.',
  block_missing: 'The block is deleted.',
} as const
export type Obstacle = keyof typeof OBSTACLES

/**
 * Why the member `m` cannot work in the project `p` of a number; null if the member can. Evaluated once for each owner
 * of rules and each project of numbers.
 */
export const projectObstacle = (sql: Sql): Fragment => sql`
  case
    when p.deleted_at is not null then 'project_deleted'
    when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access_lost'
  end`

/**
 * Why `action` of the rule `r` cannot be carried out, with the rights that the owner of the rule, the membership `m`, has now;
 * null if it can. `inProject` has the obstacles for agents in the projects of the numbers.
 */
export const obstacleOf = (sql: Sql, action: Fragment, inProject: Fragment): Fragment => sql`
  case
    when ${action} ->> 'type' not in ('agent', 'workflow') then null
    when m.user_id is null then 'owner_left'
    when ${action} ->> 'type' = 'agent' then case
      when not exists (
        select from (
          select g.archived_at from agents g
          where g.org_id = r.org_id and g.id = any(array[(${action} ->> 'agentId')::uuid]) order by g.id limit 1) g
        where g.archived_at is null) then 'agent_missing'
      else ${inProject}
    end
    else nullif(coalesce((
      select case when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit'
        then 'access_lost' else 'none' end
      from blocks b join projects p on p.org_id = b.org_id and p.id = b.project_id and p.deleted_at is null
      where b.org_id = r.org_id and b.project_id = (${action} ->> 'projectId')::uuid
        and b.id = (${action} ->> 'blockId')::uuid and b.type = 'agent'), 'block_missing'), 'none')
  end`
