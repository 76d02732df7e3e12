import { TABLE_CHANGES_MAX, TABLE_LIMITS } from '../../contract/projects/table-options.ts'
import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { RUN_ID } from './seed-runs.ts'
import { idOf, uuid } from './seed-tables.ts'

/** A table with `count` rows, views and changes, and a row with a change in each of them. */
export const TABLE_ID = idOf('7', 1)
export const ROW_ID = idOf('7', 1)
/** A list of the run `RUN_ID` with `count` items. */
export const LIST_ID = idOf('7', 1)

/** Few forms wait at a time. */
const OPEN_FORMS_MAX = 1000
const LISTS_MAX = 20

/** Tables: a hundred in one project, the others in one project each. */
export async function seedProjectTables(sql: Sql, { owner, projectId, count }: World): Promise<void> {
  const { orgId } = owner
  const id = uuid(sql, '7')
  const tables = sql`generate_series(1, ${count}::int) n`
  const columns = [
    { id: 'key', name: 'Key', type: 'text' },
    { id: 'n', name: 'N', type: 'number' },
    { id: 'text', name: 'Text', type: 'text' },
  ]
  await sql`
    insert into project_tables (org_id, id, project_id, name, search_key, columns, labels, key_column, row_count, seq,
      created_by, deleted_at, created_at, updated_at)
    select ${orgId}, ${id}, case when n <= ${TABLE_LIMITS.tables} then ${projectId}::uuid else ${uuid(sql, 'b')} end,
      'Table ' || n, 'table ' || n, ${sql.json(columns)}::jsonb, '{Key,N,Text}', 'key',
      case n when 1 then ${count}::int else 1 end, case n when 1 then ${TABLE_CHANGES_MAX}::int else 1 end, ${owner.id},
      case when n % 10 = 0 then now() end, now(), now() from ${tables}`
  const cells = sql`jsonb_build_object('key', 'k' || n, 'n', n % 1000, 'text', md5(n::text))`
  for (const table of [sql`${TABLE_ID}::uuid`, id])
    await sql`
      insert into table_rows (org_id, table_id, id, cells, key_text, bytes, seq, created_at, updated_at)
      select ${orgId}, ${table}, ${id}, ${cells}, 'k' || n, 60, 1, now(), now() from ${tables} on conflict do nothing`
  await sql`
    insert into table_views (org_id, id, table_id, name, settings, created_at, updated_at)
    select ${orgId}, ${id}, case when n <= ${TABLE_LIMITS.views} then ${TABLE_ID}::uuid else ${id} end, 'View', '{}', now(),
      now() from ${tables}`
  await sql`
    insert into table_changes (org_id, table_id, seq, kind, rows_created, rows_updated, rows_deleted, before, after, user_id,
      bytes, created_at)
    select ${orgId}, case when n <= ${TABLE_CHANGES_MAX} then ${TABLE_ID}::uuid else ${id} end, n, 'rows', 0, 1, 0, '{}', '{}',
      ${owner.id}, 100, now() from ${tables}`
  for (const row of [sql`${ROW_ID}::uuid`, uuid(sql, '8')])
    await sql`
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, case when n <= ${TABLE_CHANGES_MAX} then ${TABLE_ID}::uuid else ${id} end, n, ${row}, '{"n": 1}',
        '{"n": 2}' from ${tables}`
}

/** The lists of a run, and forms: a third of them in one project, the others in one project each. */
export async function seedSteps(sql: Sql, { owner, projectId, count }: World): Promise<void> {
  const { orgId } = owner
  const id = uuid(sql, '7')
  const rows = sql`generate_series(1, ${count}::int) n`
  await sql`
    insert into item_lists (org_id, id, run_id, block_id, total, is_data, created_at)
    select ${orgId}, ${id}, case when n <= ${LISTS_MAX} then ${RUN_ID}::uuid else ${id} end, ${uuid(sql, 'd')},
      case n when 1 then ${count}::int else 1 end, false, now() from ${rows}`
  const state = sql`(array['queued', 'running', 'failed'])[n % 100]`
  for (const list of [sql`${LIST_ID}::uuid`, id])
    await sql`
      insert into list_items (org_id, list_id, n, label, value, state)
      select ${orgId}, ${list}, n, 'Item ' || n, '1', coalesce(${state}, 'done') from ${rows} on conflict do nothing`
  await sql`
    insert into form_requests (org_id, id, project_id, run_id, block_id, title, fields, people, state, expires_at, created_at)
    select ${orgId}, ${id}, case n % 3 when 0 then ${projectId}::uuid else ${uuid(sql, 'b')} end, ${RUN_ID},
      ${uuid(sql, 'd')}, 'Form', '[]', case when n % 5 = 0 then array[${owner.id}::uuid] else '{}' end,
      case when n > ${count}::int - ${OPEN_FORMS_MAX} then 'open' else 'answered' end, now() + interval '7 days', now()
    from ${rows}`
}

/** A program's calls, in the run's first step. */
export async function seedProgram(sql: Sql, { owner }: World): Promise<void> {
  await sql`
    insert into run_calls (org_id, run_id, step, ordinal, parent, call_id, tool, input, effect, risk, state)
    select ${owner.orgId}, ${RUN_ID}, 1, 1000000 + n, 1, 'call', 'search', '{}', 'read', 'none', 'done'
    from generate_series(1, 500) n`
}
