import type { Sql } from '../../server/database/database.ts'
import { sha256 } from '../../server/security/digest.ts'
import type { TestApp } from '../../server/testing/test-app.ts'
import type { World } from './seed.ts'

/** The token of a public link of the linked folder. */
const TOKEN = 'a-token-of-the-plans-test'

/** A file with many versions, and many public links. */
export async function seedLinks(sql: Sql, world: World): Promise<void> {
  const { owner, versionedId, linkedFolderId, count } = world
  await sql`
    insert into folders (org_id, id, parent_id, path)
    values (${owner.orgId}, ${linkedFolderId}, ${owner.orgId}, array[${owner.orgId}, ${linkedFolderId}]::uuid[])`
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, created_by, created_at, updated_at)
    values (${owner.orgId}, ${linkedFolderId}, ${owner.orgId}, 'folder', 'Linked', 'linked', 'linked', 'inode/directory',
      ${owner.id}, now(), now())`
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, object_key, content_number,
      created_by, created_at, updated_at)
    select ${owner.orgId}, case n when 1 then ${versionedId}::uuid else gen_random_uuid() end, ${linkedFolderId}, 'upload',
      'f' || n, 'f' || n, 'f' || n, 'text/plain', 'key', ${count} + 1, ${owner.id}, now(), now()
    from generate_series(1, 10) n`
  await sql`
    insert into file_versions (org_id, id, file_id, number, mime_type, size, object_key, created_by, created_at, replaced_at)
    select ${owner.orgId}, gen_random_uuid(), ${versionedId}, n, 'text/plain', 1, 'key', ${owner.id}, now(), now()
    from generate_series(1, ${count}::int) n`
  await sql`
    insert into public_links (org_id, id, file_id, token_hash, created_by, created_at)
    select ${owner.orgId}, ${sql.unsafe(`('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`)}, ${linkedFolderId},
      case n when 1 then ${sha256(TOKEN)}::bytea else sha256(n::text::bytea) end, ${owner.id}, now()
    from generate_series(1, ${count}::int) n`
}

export const openLink = async (app: TestApp): Promise<string> =>
  (await app.as({}).publicLinks.open({ token: TOKEN })).guestToken
