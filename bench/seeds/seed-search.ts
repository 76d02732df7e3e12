import type { Pool } from '../../server/database/database.ts'
import { seedProjectFolders } from '../../server/testing/factories/many-files.ts'

interface Owner {
  id: string
  orgId: string
}

const PER_PROJECT = 500
const NIL = '00000000-0000-0000-0000-000000000000'
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ya'.split(' ')
const WORDS = 8000
const WORDS_PER_TEXT = 25
/** Records share texts: generating one each would take most of the time. */
const TEXTS = 5000
/** In every title. */
const TITLE_WORD = 'picture'

/**
 * Word frequencies differ as in natural language: word 0 is in most texts, word 7999 in few. `photo` is in each text,
 * `zebra` in thirty; `picture` is in each title, `constellation` in one out of a hundred.
 */
export async function seedSearchable(sql: Pool, owner: Owner, workspaceId: string, count: number) {
  const { orgId, id: userId } = owner
  const folderIds = await seedProjectFolders(sql, owner, {
    count: Math.max(3, Math.ceil(count / PER_PROJECT)),
    workspaceId,
  })
  const [agent] = await sql<{ id: string }[]>`select id from agents where org_id = ${orgId} limit 1`
  const body = sql`'the photo of ' || x.text || case when n % (${count}::int / 40) = 1 then ' zebra' else '' end`
  const at = sql`now() - n * interval '7 seconds'`
  const project = sql`(select project_id from bench_projects where i = n % ${folderIds.length}::int)`
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`create temp table bench_projects on commit drop as
      select row_number() over ()::int - 1 as i, s.project_id, s.id as folder_id from folders s
      where s.org_id = ${orgId} and s.project_id is not null`
    await tx`create unique index on bench_projects (i)`
    const texts = Array.from({ length: TEXTS }, (_, index) => textOf(index))
    await tx`create temp table bench_texts on commit drop as
      select i::int - 1 as i, text, ${TITLE_WORD} || ' ' || split_part(text, ' ', 1) || ' ' || split_part(text, ' ', 2)
        || case when i % 100 = 7 then ' constellation' else '' end as short
      from unnest(${texts}::text[]) with ordinality t (text, i)`
    await tx`create unique index on bench_texts (i)`
    await tx`analyze bench_texts, bench_projects`
    await tx`
      insert into agent_sessions (org_id, id, project_id, agent_id, title, created_by, created_at, updated_at, last_message_at)
      select ${orgId}, new_id(${at}), ${project}, ${agent!.id}, x.short || ' ' || n, ${userId}, ${at}, ${at}, ${at}
      from generate_series(1, ${Math.ceil(count / 50)}::int) n join bench_texts x on x.i = n % ${TEXTS}::int`
    await tx`create temp table bench_sessions on commit drop as
      select row_number() over ()::int - 1 as i, id from agent_sessions where org_id = ${orgId}`
    await tx`create unique index on bench_sessions (i)`
    await tx`
      insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
      select ${orgId}, s.id, n, new_id(${at}), 'user', '[]', ${body}, 'trusted', ${at}
      from generate_series(1, ${Math.floor(count * 0.35)}::int) n join bench_texts x on x.i = n % ${TEXTS}::int
      join bench_sessions s on s.i = n % ${Math.ceil(count / 50)}::int`
    await tx`
      insert into blocks (org_id, project_id, id, type, x, y, width, height, title, content, created_at, updated_at)
      select ${orgId}, ${project}, new_id(${at}), 'note', 0, 0, 1, 1, case n % 3 when 0 then x.short end, ${body}, ${at}, ${at}
      from generate_series(1, ${Math.floor(count * 0.3)}::int) n join bench_texts x on x.i = n % ${TEXTS}::int`
    await tx`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, object_key,
        created_by, created_at, updated_at)
      select ${orgId}, new_id(${at}), p.folder_id, 'upload', t.name, t.name, t.name, 'image/png', 'none', ${userId}, ${at}, ${at}
      from generate_series(1, ${Math.floor(count * 0.25)}::int) n join bench_texts x on x.i = n % ${TEXTS}::int join bench_projects p on p.i = n % ${folderIds.length}::int,
        lateral (select x.short || ' ' || n || '.png' as name) t`
    await tx`
      insert into memories (org_id, id, key, content, tags, source, status, written_by, created_at, updated_at)
      select ${orgId}, new_id(${at}), x.short || ' ' || n, ${body}, '{}', 'person', 'active', ${userId}, ${at}, ${at}
      from generate_series(1, ${Math.floor(count * 0.1)}::int) n join bench_texts x on x.i = n % ${TEXTS}::int`
  })
}

/** Depends only on the seed, so every benchmark run has the same texts. */
function textOf(seed: number): string {
  let state = seed + 1
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return Array.from({ length: WORDS_PER_TEXT }, () => wordOf(Math.floor(WORDS * next() ** 4))).join(' ')
}

const wordOf = (n: number) =>
  [n % 20, Math.floor(n / 20) % 20, Math.floor(n / 400) % 20].map((i) => SYLLABLES[i]).join('')

/** Creating secondary indexes afterwards takes a third of the time. */
export async function fillSearch(sql: Pool, orgIds: string[]) {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'search_entries' and indexname <> 'search_entries_pkey'`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  for (const orgId of orgIds)
    for (const type of ['project', 'file', 'block', 'session', 'message', 'memory', 'agent'])
      await sql`select ${sql(`search_fill_${type}`)}(${orgId}, ${NIL}, ${NIL}, 2000000)`
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`delete from search_backlog`
  await sql`vacuum analyze`
}
