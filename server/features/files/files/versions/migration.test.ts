import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../../../../database/database.ts'
import { migrate, migrateTo } from '../../../../database/migrate.ts'
import { newId } from '../../../../security/ids.ts'
import { cloneDatabase } from '../../../../testing/database.ts'

const MIGRATION = '0074_file_versions.sql'

let template: Awaited<ReturnType<typeof cloneDatabase>>
let database: Awaited<ReturnType<typeof cloneDatabase>>
let pool: Pool
beforeAll(async () => {
  template = await cloneDatabase()
  const migrated = openDatabase(template.connection, 'test')
  const schema = await migrated<{ name: string; checksum: string }[]>`
    select name, checksum from migrations where name < ${MIGRATION} order by name`
  await migrated.end()
  database = await cloneDatabase('template0')
  pool = openDatabase(database.connection, 'test')
  await migrateTo(pool, schema)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
  await template.drop()
})

test('existing files keep content, hash, size and trash state; content replaced by runs becomes versions', async () => {
  const [org, user, folder, run] = [newId(), newId(), newId(), newId()]
  const id = { live: newId(), trashed: newId(), inside: newId(), link: newId(), changed: newId() }
  const former = { first: newId(), second: newId(), restored: newId(), orphan: newId() }
  await pool.begin(async (sql) => {
    // Runs, members and projects do not matter here.
    await sql`set local session_replication_role = replica`
    await sql`insert into organizations (id, name, created_at, updated_at) values (${org}, 'Org', now(), now())`
    await sql`insert into users (id, email, name, created_at, updated_at) values (${user}, 'a@b.c', 'Ada', now(), now())`
    await sql`
      insert into folders (org_id, id, parent_id, path, trashed_by) values (${org}, ${org}, null, ${[org]}::uuid[], null),
        (${org}, ${folder}, ${org}, ${[org, folder]}::uuid[], ${folder})`
    await sql`
      insert into file_changes (org_id, run_id, file_id, before, after, former_id, created_at) values
        (${org}, ${run}, ${id.changed}, '{}', '{}', ${former.first}, now()),
        (${org}, ${run}, ${id.changed}, '{}', '{}', ${former.second}, now()),
        (${org}, ${run}, ${id.changed}, '{}', '{}', ${former.restored}, now()),
        (${org}, ${run}, ${newId()}, '{}', '{}', ${former.orphan}, now())`
  })
  const insert = async (
    file: string,
    { parent = org, deleted = null as string | null, target = null as string | null, size = 7 } = {},
  ) => {
    const key = target ? null : `${org}/${file}`
    if (key)
      await pool`insert into objects (org_id, key, stored_at, created_at) values (${org}, ${key}, now(), now())`
    await pool`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
        target_id, tags, created_by, created_at, updated_at, deleted_at)
      values (${org}, ${file}, ${parent}, ${target ? 'link' : 'upload'}, 'n', 'n', 'n', 'text/plain', ${target ? 0 : size}, ${key},
        ${target ? null : Buffer.from(file.replaceAll('-', ''), 'hex')}, ${target}, '{a}', ${user}, now(), now(), ${deleted})`
  }
  const early = '2026-01-01T00:00:00.000Z'
  await insert(id.live)
  await insert(id.trashed, { deleted: early })
  await insert(id.inside, { parent: folder })
  await insert(id.link, { target: id.live })
  await insert(id.changed)
  await insert(former.first, { deleted: early, size: 3 })
  await insert(former.second, { deleted: '2026-02-01T00:00:00.000Z', size: 4 })
  await insert(former.restored)
  await insert(former.orphan, { deleted: early })
  const files = () => pool`
    select id, parent_id, source, name, mime_type, size, object_key, encode(sha256, 'hex') as hash, target_id, tags,
      version, created_by, created_at, updated_at, deleted_at, trashed_from
    from files where id <> all(${[former.first, former.second]}::uuid[]) order by id`
  const storage = async () => {
    const [row] =
      await pool`select sum(amount)::int as sum from quota_usage where org_id = ${org} and quota = 'storage'`
    return row!.sum
  }
  const before = { files: await files(), storage: await storage() }

  await migrate(pool)

  expect(before.files).toHaveLength(7)
  expect(await files()).toEqual(before.files)
  expect(await storage()).toBe(before.storage)
  expect(
    await pool`
      select id, file_id as "fileId", number, size, object_key as key, encode(sha256, 'hex') as hash from file_versions order by number`,
  ).toEqual([
    {
      id: former.first,
      fileId: id.changed,
      number: 1,
      size: 3,
      key: `${org}/${former.first}`,
      hash: former.first.replaceAll('-', ''),
    },
    {
      id: former.second,
      fileId: id.changed,
      number: 2,
      size: 4,
      key: `${org}/${former.second}`,
      hash: former.second.replaceAll('-', ''),
    },
  ])
  const numbers = await pool`select content_number as number, id from files where content_number > 1`
  expect(numbers).toEqual([{ id: id.changed, number: 3 }])
})
