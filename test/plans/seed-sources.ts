import { SOURCE_LIMITS } from '../../contract/knowledge/source-options.ts'
import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** The source that has all syncs and log entries, as many as are kept. */
export const SOURCE_ID = idOf('a', 1)
export const SYNC_ID = idOf('b', 1)

/** As many sources in one project as it may have, and one in each of many others. */
export async function seedSources(sql: Sql, { owner, projectId, count }: World): Promise<void> {
  const { orgId } = owner
  const inProject = SOURCE_LIMITS.perProject
  await sql`
    insert into knowledge_sources (org_id, id, project_id, folder_id, kind, name, settings, interval_minutes, enabled,
      owner_id, created_by, created_at, updated_at)
    select ${orgId}, ${uuid(sql, 'a')}, case when n <= ${inProject} then ${projectId}::uuid else ${uuid(sql, 'b')} end,
      ${projectId}, 'website', 'Source ' || n, '{"url":"https://docs.example.com/"}', 60, false, ${owner.id}, ${owner.id},
      now(), now()
    from generate_series(1, ${count}::int) n`
  await sql`
    insert into source_syncs (org_id, id, source_id, trigger, outcome, started_at)
    select ${orgId}, ${uuid(sql, 'b')}, ${SOURCE_ID}, 'schedule', 'succeeded', now()
    from generate_series(1, ${SOURCE_LIMITS.syncs}::int) n`
  await sql`
    insert into source_log (org_id, id, source_id, sync_id, action, path, created_at)
    select ${orgId}, ${uuid(sql, 'c')}, ${SOURCE_ID}, ${SYNC_ID},
      (array['added', 'changed', 'moved', 'removed', 'skipped', 'kept'])[1 + n % 6], 'page-' || n, now()
    from generate_series(1, ${SOURCE_LIMITS.log}::int) n`
}
