import { expect } from 'vitest'
import type { Pool } from '../database/database.ts'

const RULES: [rule: string, query: (sql: Pool) => Promise<readonly unknown[]>][] = [
  [
    'the path of a folder is the path of its parent followed by its own id',
    (sql) => sql`
      select s.id from folders s left join folders p on p.org_id = s.org_id and p.id = s.parent_id
      where s.path <> coalesce(p.path, '{}') || s.id`,
  ],
  [
    'only the root folder of an organization has no parent',
    (sql) => sql`select id from folders where (parent_id is null) <> (id = org_id)`,
  ],
  [
    'every folder below a deleted folder is in the trash',
    (sql) => sql`
      select s.id from folders s join folders p on p.org_id = s.org_id and p.id = s.parent_id
      where p.trashed_by is not null and s.trashed_by is null`,
  ],
  [
    'a folder in the trash was deleted itself or with a deleted ancestor',
    (sql) => sql`
      select s.id from folders s
      where s.trashed_by is not null and not exists (
        select from files f
        where f.org_id = s.org_id and f.id = s.trashed_by and f.deleted_at is not null and f.id = any(s.path))`,
  ],
  [
    'a folder has deleted_at exactly if it is its own trashed_by',
    (sql) => sql`
      select f.id from files f join folders s on s.org_id = f.org_id and s.id = f.id
      where (f.deleted_at is not null) <> (s.trashed_by is not distinct from s.id)`,
  ],
  [
    'folders and the folder entries in files correspond, with the same parent',
    (sql) => sql`
      select coalesce(s.id, f.id) as id
      from (select * from folders where id <> org_id) s
      full join (select * from files where source = 'folder') f on f.org_id = s.org_id and f.id = s.id
      where f.parent_id is distinct from s.parent_id`,
  ],
  [
    'a folder belongs to the project of its parent, and only a protected folder starts one',
    (sql) => sql`
      select s.id from folders s join folders p on p.org_id = s.org_id and p.id = s.parent_id
      where s.project_id is distinct from p.project_id and p.id <> p.org_id
        or p.id = p.org_id and s.project_id is not null and not exists (
          select from files f where f.org_id = s.org_id and f.id = s.id and f.protected)`,
  ],
  [
    'every stored object belongs to a file',
    (sql) => sql`
      select key from objects o where stored_at is not null and not exists (
        select from files f where f.org_id = o.org_id and f.object_key = o.key)`,
  ],
  [
    'an entry has trashed_from exactly if it is deleted',
    (sql) => sql`select id from files where (deleted_at is null) <> (trashed_from is null)`,
  ],
]

export async function expectValidTrees(sql: Pool): Promise<void> {
  for (const [rule, query] of RULES) expect(await query(sql), rule).toEqual([])
}
