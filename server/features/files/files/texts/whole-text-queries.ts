import type { Sql } from '../../../../database/database.ts'

/** What a conversation stores of an attached file. */
export interface ContentRef {
  fileId: string
  version: number
}

export interface WholeText extends ContentRef {
  /** Null if the file has none that can be read, or too much. */
  text: string | null
  isLonger: boolean
}

export const listWholeTexts = (sql: Sql, orgId: string, refs: readonly ContentRef[]) => sql<WholeText[]>`
  select s.file_id as "fileId", s.version, t.text, t.is_longer as "isLonger" from ${contents(sql, orgId, refs)} s
  join derived_texts t on t.org_id = ${orgId} and t.source_key = s.key`

export interface UnreadContent {
  key: string
  name: string
  mimeType: string
  size: number
}

/** Contents whose text isn't stored yet. */
export const listUnread = (sql: Sql, orgId: string, refs: readonly ContentRef[]) => sql<UnreadContent[]>`
  select distinct on (s.key) s.key, f.name, s.mime_type as "mimeType", s.size
  from ${contents(sql, orgId, refs)} s join files f on f.org_id = ${orgId} and f.id = s.file_id
  where not exists (select from derived_texts t where t.org_id = ${orgId} and t.source_key = s.key)
  order by s.key`

/** Also of trashed files: a conversation that shows one stays as it was. */
const contents = (sql: Sql, orgId: string, refs: readonly ContentRef[]) => sql`(
  select r.file_id, r.version, c.key, c.mime_type, c.size
  from unnest(${refs.map(({ fileId }) => fileId)}::uuid[], ${refs.map(({ version }) => version)}::int[])
    as r (file_id, version)
  cross join lateral (
    select f.object_key as key, f.mime_type, f.size from files f
    where f.org_id = ${orgId} and f.id = r.file_id and f.content_number = r.version and f.object_key is not null
    union all
    select v.object_key, v.mime_type, v.size from file_versions v
    where v.org_id = ${orgId} and v.file_id = r.file_id and v.number = r.version
  ) c
)`

/** Unless it's stored already, or the content was purged meanwhile. */
export async function insertWholeText(
  sql: Sql,
  orgId: string,
  key: string,
  { text, isLonger }: Pick<WholeText, 'text' | 'isLonger'>,
  now: Date,
): Promise<void> {
  await sql`
    insert into derived_texts (org_id, source_key, text, is_longer, created_at)
    select o.org_id, o.key, ${text}, ${isLonger}, ${now} from objects o
    where o.org_id = ${orgId} and o.key = ${key} for key share
    on conflict (org_id, source_key) do nothing`
}
