import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** The block with the most comments, and one of its threads with many replies. */
export const TARGET = `target=block:${idOf('d', 1)}`
export const THREAD_ID = idOf('a', 1)

const THREADS_ON_BLOCK = 500

/** The first comments are threads on one block, one of them with as many replies; the others are on a block each. */
export async function seedComments(sql: Sql, { owner, projectId, count }: World): Promise<void> {
  await sql`
    insert into comments (org_id, id, target_type, target_id, project_id, author_id, body, resolved_at, resolved_by, created_at)
    select ${owner.orgId}, ${uuid(sql, 'a')}, 'block', case when n <= ${THREADS_ON_BLOCK}::int then ${idOf('d', 1)}::uuid else ${uuid(sql, 'd')} end,
      ${projectId}, ${owner.id}, 'Comment ' || n, case n % 3 when 0 then now() end, case n % 3 when 0 then ${owner.id}::uuid end, now()
    from generate_series(1, ${count}::int) n`
  await sql`
    insert into comments (org_id, id, target_type, target_id, project_id, parent_id, author_id, body, created_at)
    select ${owner.orgId}, ${uuid(sql, 'b')}, 'block', ${idOf('d', 1)}, ${projectId}, ${THREAD_ID}, ${owner.id}, 'Reply ' || n, now()
    from generate_series(1, ${THREADS_ON_BLOCK}::int) n`
}

/** As many notifications as one user can have, about different users’ comments. */
export async function seedNotifications(sql: Sql, { owner, projectId, count }: World): Promise<void> {
  await sql`
    insert into notifications (org_id, user_id, id, kind, key, title, path, actor_id, project_id, comment_id, created_at, read_at)
    select ${owner.orgId}, case when n <= 1000 then ${owner.id}::uuid else ${uuid(sql, 'a')} end, ${uuid(sql, 'c')},
      case n % 2 when 0 then 'mention' else 'reply' end, 'key ' || n, 'mentioned you', '/', ${uuid(sql, 'a')}, ${projectId},
      ${uuid(sql, 'a')}, now(), case when n % 3 = 0 then now() end
    from generate_series(1, ${count}::int) n`
}
