import type { Fragment, Sql } from '../../../../../database/database.ts'
import type { Trust } from '../../../../../tools/tool.ts'

export interface ListRow {
  id: string
  blockId: string
  cursor: string | null
  total: number
  running: number
  done: number
  failed: number
  cost: string
  /** Since this run began. */
  spent: string
  preview: number | null
  isData: boolean
  outputRunId: string | null
  isUntrusted: boolean
  shownAt: string | null
}

const LIST_COLUMNS = `id, block_id as "blockId", cursor, total, running, done, failed, cost,
  (cost - cost_before)::numeric(20, 6) as spent, preview, is_data as "isData", output_run_id as "outputRunId",
  is_untrusted as "isUntrusted", shown_at as "shownAt"`

export async function findList(
  sql: Sql,
  orgId: string,
  runId: string,
  blockId: string,
): Promise<ListRow | null> {
  const [row] = await sql<ListRow[]>`
    select ${sql.unsafe(LIST_COLUMNS)} from item_lists
    where org_id = ${orgId} and run_id = ${runId} and block_id = ${blockId}`
  return row ?? null
}

export const listLists = (sql: Sql, orgId: string, runId: string) => sql<ListRow[]>`
  select ${sql.unsafe(LIST_COLUMNS)} from item_lists
  where org_id = ${orgId} and run_id = ${runId} order by id`

export async function insertList(
  sql: Sql,
  orgId: string,
  list: { id: string; runId: string; blockId: string; preview: number | null; isData: boolean; now: Date },
): Promise<void> {
  await sql`
    insert into item_lists (org_id, id, run_id, block_id, cursor, preview, is_data, created_at)
    values (${orgId}, ${list.id}, ${list.runId}, ${list.blockId}, '', ${list.preview}, ${list.isData}, ${list.now})`
}

export interface NewItem {
  n: number
  label: string
  value: unknown
}

/** `cursor` is null after the last page. */
export async function insertItems(
  sql: Sql,
  orgId: string,
  listId: string,
  items: readonly NewItem[],
  cursor: string | null,
): Promise<void> {
  await sql`
    with added as (
      insert into list_items (org_id, list_id, n, label, value)
      select ${orgId}, ${listId}, i.n, i.label, i.value
      from jsonb_to_recordset(${sql.json(items as never)}) as i (n int, label text, value jsonb)
      returning n
    )
    update item_lists set cursor = ${cursor}, total = total + (select count(*) from added)
    where org_id = ${orgId} and id = ${listId}`
}

/** Rows `n, id, label` of a statement; their values are read when they start. Returns how many. */
export async function insertSelected(
  sql: Sql,
  orgId: string,
  listId: string,
  { items, key, max }: { items: Fragment; key: 'rowId' | 'fileId'; max: number },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with added as (
      insert into list_items (org_id, list_id, n, label, value)
      select ${orgId}, ${listId}, i.n, i.label, jsonb_build_object(${key}::text, i.id)
      from (${items}) i where i.n <= ${max} returning n
    ), counted as (
      update item_lists set cursor = null, total = (select count(*) from added)
      where org_id = ${orgId} and id = ${listId}
    )
    select count(*)::int as count from added`.unprepared()
  return row!.count
}

/** In a folder of the project, or these files. By name. */
export const selectFiles = (
  sql: Sql,
  orgId: string,
  projectId: string,
  { folderId, fileIds }: { folderId?: string | undefined; fileIds?: readonly string[] | undefined },
): Fragment => sql`
  select row_number() over (order by f.sort_key, f.id) as n, f.id, left(f.name, 80) as label from files f
  join folders d on d.org_id = f.org_id and d.id = f.parent_id and d.project_id = ${projectId}
  where f.org_id = ${orgId} and f.source = 'upload' and f.status = 'ready' and f.deleted_at is null
    and ${
      fileIds
        ? sql`f.id = any(${[...fileIds]}::uuid[])`
        : folderId
          ? sql`f.parent_id = ${folderId}`
          : sql`cardinality(d.path) = 2`
    }`

export interface QueuedItem extends NewItem {
  attempts: number
}

export const listQueuedItems = (
  sql: Sql,
  orgId: string,
  listId: string,
  { limit, before }: { limit: number; before: number | null },
) => sql<QueuedItem[]>`
  select n, label, value, attempts from list_items
  where org_id = ${orgId} and list_id = ${listId} and state = 'queued'
    ${before === null ? sql`` : sql`and n <= ${before}`}
  order by state, n limit ${limit}`

export const startItem = (
  sql: Sql,
  orgId: string,
  listId: string,
  { n, runId, now }: { n: number; runId: string; now: Date },
) => sql`
  with started as (
    update list_items set state = 'running', run_id = ${runId}, attempts = attempts + 1, output = null, error = null,
      started_at = ${now}, finished_at = null
    where org_id = ${orgId} and list_id = ${listId} and n = ${n} and state = 'queued' returning n
  )
  update item_lists set running = running + (select count(*) from started)
  where org_id = ${orgId} and id = ${listId}`

export interface EndedItem {
  n: number
  runId: string
  status: 'succeeded' | 'failed' | 'canceled'
  error: string | null
  trust: Trust
  /** Includes the runs it started. */
  cost: string
  value: unknown
}

export const listEndedItems = (sql: Sql, orgId: string, listId: string) => sql<EndedItem[]>`
  select i.n, i.run_id as "runId", r.status, r.error, r.trust, i.value, (
    with recursive tree as (
      select r.id, r.cost
      union all
      select c.id, c.cost from tree t join runs c on c.org_id = ${orgId} and c.parent_run_id = t.id
    )
    select coalesce(sum(cost), 0)::numeric(20, 6) from tree) as cost
  from list_items i join runs r on r.org_id = i.org_id and r.id = i.run_id
  where i.org_id = ${orgId} and i.list_id = ${listId} and i.state = 'running'
    and r.status in ('succeeded', 'failed', 'canceled')
  order by i.n`

export const endItem = (
  sql: Sql,
  orgId: string,
  listId: string,
  item: {
    n: number
    state: 'done' | 'failed'
    output: unknown
    error: string | null
    cost: string
    runId: string | null
    isUntrusted: boolean
    now: Date
  },
) => sql`
  with ended as (
    update list_items set state = ${item.state}, output = ${sql.json((item.output ?? null) as never)},
      error = ${item.error}, cost = cost + ${item.cost}::numeric, finished_at = ${item.now}
    where org_id = ${orgId} and list_id = ${listId} and n = ${item.n} and state in ('running', 'queued')
    returning (select o.state from list_items o
      where o.org_id = ${orgId} and o.list_id = ${listId} and o.n = ${item.n}) as before
  )
  update item_lists l set running = running - (e.before = 'running')::int,
    done = done + ${item.state === 'done' ? 1 : 0}::int, failed = failed + ${item.state === 'failed' ? 1 : 0}::int,
    cost = cost + ${item.cost}::numeric,
    output_run_id = case when is_untrusted and not ${item.isUntrusted}::boolean then output_run_id
      else coalesce(${item.runId}::uuid, output_run_id) end,
    is_untrusted = is_untrusted or ${item.isUntrusted}
  from ended e where l.org_id = ${orgId} and l.id = ${listId}`

export async function readOutputs(
  sql: Sql,
  orgId: string,
  listId: string,
  bytesMax: number,
): Promise<unknown[] | null> {
  const [row] = await sql<{ outputs: unknown[] | null }[]>`
    select case when coalesce(sum(octet_length(output::text)), 0) <= ${bytesMax}::bigint
      then coalesce(jsonb_agg(output order by n), '[]') end as outputs
    from list_items where org_id = ${orgId} and list_id = ${listId}`
  return row!.outputs
}

/** Returns the run that already continues these lists, if there is one. */
export async function claimLists(sql: Sql, orgId: string, from: string, to: string): Promise<string | null> {
  const [moved] = await sql<{ to: string }[]>`
    select list_moved_to as "to" from workflow_blocks
    where org_id = ${orgId} and run_id = ${from} and list_moved_to is not null limit 1`
  if (moved) return moved.to
  await sql`
    update workflow_blocks set list_moved_to = ${to}
    where org_id = ${orgId} and run_id = ${from} and for_each is not null`
  return null
}

/** Failed and canceled items run again; those still running report to the new run. */
export async function moveLists(sql: Sql, orgId: string, from: string, to: string): Promise<void> {
  await sql`
    with moved as (
      select id from item_lists where org_id = ${orgId} and run_id = ${from} for update
    ), again as (
      update list_items i set state = 'queued', error = null, cost = i.cost + coalesce(r.cost, 0)
      from moved join list_items o on o.org_id = ${orgId} and o.list_id = moved.id and o.state in ('failed', 'running')
      left join runs r on r.org_id = o.org_id and r.id = o.run_id and o.state = 'running'
      where i.org_id = ${orgId} and i.list_id = o.list_id and i.n = o.n
        and (o.state = 'failed' or r.status in ('failed', 'canceled'))
      returning i.list_id, o.state as before, coalesce(r.cost, 0) as cost
    ), counts as (
      select list_id, count(*) filter (where before = 'running') as stopped, sum(cost) as cost from again group by list_id
    )
    update item_lists l set run_id = ${to}, failed = 0, running = l.running - coalesce(c.stopped, 0),
      cost = l.cost + coalesce(c.cost, 0), cost_before = l.cost + coalesce(c.cost, 0), shown_at = null
    from moved left join counts c on c.list_id = moved.id
    where l.org_id = ${orgId} and l.id = moved.id`
}

export const updateShownAt = (sql: Sql, orgId: string, listId: string, now: Date) => sql`
  update item_lists set shown_at = ${now} where org_id = ${orgId} and id = ${listId}`

/** Returns how many previews ended. */
export async function endPreviews(sql: Sql, orgId: string, runId: string): Promise<number> {
  const { count } = await sql`
    update item_lists set preview = null where org_id = ${orgId} and run_id = ${runId} and preview is not null`
  return count
}

export interface ItemRow extends NewItem {
  listId: string
  state: 'queued' | 'running' | 'done' | 'failed'
  attempts: number
  runId: string | null
  sessionId: string | null
  output: unknown
  error: string | null
  cost: string
  startedAt: string | null
  finishedAt: string | null
}

export const listItems = (
  sql: Sql,
  orgId: string,
  listId: string,
  { state, after, limit }: { state: string | undefined; after: number; limit: number },
) => sql<ItemRow[]>`
  select i.list_id as "listId", i.n, i.label, i.value, i.state, i.attempts, i.run_id as "runId",
    r.session_id as "sessionId", i.output, i.error, i.cost, i.started_at as "startedAt", i.finished_at as "finishedAt"
  from (
    select * from list_items where org_id = ${orgId} and list_id = ${listId} and n > ${after}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
    order by ${state === undefined ? sql`` : sql`state,`} n limit ${limit}
  ) i left join lateral (
    -- A lookup by the primary key, also without statistics.
    select r.session_id from runs r where r.org_id = ${orgId} and r.id = any(array[i.run_id]) order by r.id limit 1
  ) r on true
  order by i.n`

export const listTitles = (sql: Sql, orgId: string, runId: string) => sql<
  { blockId: string; title: string | null; content: string }[]
>`
  select block_id as "blockId", title, instructions as content from workflow_blocks
  where org_id = ${orgId} and run_id = ${runId} and for_each is not null`

/** For a purged project. Returns how many. */
export async function deleteProjectLists(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const lists = sql`
    select l.id from item_lists l join runs r on r.org_id = l.org_id and r.id = l.run_id
    where l.org_id = ${orgId} and r.project_id = ${projectId}`
  const { count: items } = await sql`
    delete from list_items where org_id = ${orgId} and (list_id, n) in (
      select i.list_id, i.n from list_items i
      where i.org_id = ${orgId} and i.list_id in (${lists}) limit ${limit})`
  if (items > 0) return items
  const { count } = await sql`delete from item_lists where org_id = ${orgId} and id in (${lists})`
  return count
}
