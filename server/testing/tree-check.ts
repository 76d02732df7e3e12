import { expect } from 'vitest'
import type { Pool } from '../database/database.ts'

/** Invariants of every file tree; each query finds the rows that violate one. */
const RULES: [rule: string, query: (sql: Pool) => Promise<readonly unknown[]>][] = [
  [
    'a path is that of the folder above, and itself',
    (sql) => sql`
      select s.id from folders s left join folders p on p.org_id = s.org_id and p.id = s.parent_id
      where s.path <> coalesce(p.path, '{}') || s.id`,
  ],
  [
    'only the root of an organization is in no folder',
    (sql) => sql`select id from folders where (parent_id is null) <> (id = org_id)`,
  ],
  [
    'what is below a folder in the trash cannot be reached',
    (sql) => sql`
      select s.id from folders s join folders p on p.org_id = s.org_id and p.id = s.parent_id
      where p.trashed_by is not null and s.trashed_by is null`,
  ],
  [
    'what took a folder along is that folder or one above it, and was deleted',
    (sql) => sql`
      select s.id from folders s
      where s.trashed_by is not null and not exists (
        select from files f
        where f.org_id = s.org_id and f.id = s.trashed_by and f.deleted_at is not null and f.id = any(s.path))`,
  ],
  [
    'a folder that was deleted is in the trash by itself',
    (sql) => sql`
      select f.id from files f join folders s on s.org_id = f.org_id and s.id = f.id
      where (f.deleted_at is not null) <> (s.trashed_by is not distinct from s.id)`,
  ],
  [
    'every folder has a record, which is in the same place, and every record of a folder has its skeleton',
    (sql) => sql`
      select coalesce(s.id, f.id) as id
      from (select * from folders where id <> org_id) s
      full join (select * from files where source = 'folder') f on f.org_id = s.org_id and f.id = s.id
      where f.parent_id is distinct from s.parent_id`,
  ],
  [
    'a project is that of the folder above',
    (sql) => sql`
      select s.id from folders s join folders p on p.org_id = s.org_id and p.id = s.parent_id
      where s.project_id is distinct from p.project_id and p.id <> p.org_id
        or p.id = p.org_id and s.project_id is not null and not exists (
          select from files f where f.org_id = s.org_id and f.id = s.id and f.protected)`,
  ],
  [
    'every stored object has an owner',
    (sql) => sql`
      select key from objects o where stored_at is not null and not exists (
        select from files f where f.org_id = o.org_id and f.object_key = o.key)`,
  ],
  [
    'what is in the trash knows where it was, and only that',
    (sql) => sql`select id from files where (deleted_at is null) <> (trashed_from is null)`,
  ],
]

export async function expectValidTrees(sql: Pool): Promise<void> {
  for (const [rule, query] of RULES) expect(await query(sql), rule).toEqual([])
}
