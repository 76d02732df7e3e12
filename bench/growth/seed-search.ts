import type { Sql } from '../../server/database/database.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const COLUMNS = `org_id, type, id, scope_id, project_id, space_id, parent_id, author_id, title, title_key, body, tsv, updated_at`

/** Texts share few distinct words, each analyzed once; terms that differ per record are added to the result. */
export async function seedSearch(sql: Sql): Promise<void> {
  const into = sql.unsafe(`insert into search_entries (${COLUMNS})`)
  const recordTerms = (type: string, number: ReturnType<typeof sql>, project: ReturnType<typeof sql>) => sql`
    array_to_tsvector(array[${number}, '=s' || ${project}, ${`=k${type}`}])`
  await sql`
    create temp table growth_words on commit drop as
    select word, search_vector(word, '', ${NIL}, '') as title, search_vector('', word, ${NIL}, '') as body from (
      select distinct split_part(name, ' ', 1) as word from files where source = 'upload' union
      select distinct regexp_replace(body, ' \\d+$', '') from messages union values ('Session'), ('Run')
    ) words`
  await sql`
    ${into} select f.org_id, 'file', f.id, f.org_id, d.project_id, p.space, f.parent_id, f.created_by, f.name, f.search_key, '',
      w.title || ${recordTerms('file', sql`split_part(translate(f.name, '.', ' '), ' ', 2)`, sql`p.space`)}, f.updated_at
    from files f join folders d on d.org_id = f.org_id and d.id = f.parent_id
    join growth_words w on w.word = split_part(f.name, ' ', 1)
    cross join lateral (select coalesce(d.project_id, f.org_id) as space) p where f.source = 'upload'`
  await sql`
    ${into} select m.org_id, 'message', m.id, m.org_id, s.project_id, s.project_id, m.session_id, null, '', '', m.body,
      w.body || ${recordTerms('message', sql`split_part(m.body, ' ', 5)`, sql`s.project_id`)}, m.created_at
    from messages m join agent_sessions s on s.org_id = m.org_id and s.id = m.session_id
    join growth_words w on w.word = regexp_replace(m.body, ' \\d+$', '')`
  for (const [type, table] of [
    ['session', sql`agent_sessions`],
    ['run', sql`runs`],
  ] as const)
    await sql`
      ${into} select r.org_id, ${type}, r.id, r.org_id, r.project_id, r.project_id, null, r.created_by, r.title, lower(r.title), '',
        w.title || ${recordTerms(type, sql`split_part(r.title, ' ', 2)`, sql`r.project_id`)}, r.created_at
      from ${table} r join growth_words w on w.word = split_part(r.title, ' ', 1)`
  await sql`delete from search_backlog`
}
