import type { Sql } from '../../../database/database.ts'

/** Null without such an agent. */
export async function findImage(sql: Sql, orgId: string, agentId: string) {
  const [row] = await sql<{ key: string | null; mimeType: string; bytes: Buffer | null }[]>`
    select a.image_key as key, i.mime_type as "mimeType", i.bytes
    from agents a left join agent_images i on i.org_id = a.org_id and i.agent_id = a.id
    where a.org_id = ${orgId} and a.id = ${agentId}`
  if (!row) return null
  const { key, mimeType, bytes } = row
  return { key, image: bytes && { mimeType, bytes } }
}

export async function upsertImage(
  sql: Sql,
  orgId: string,
  { agentId, mimeType, bytes }: { agentId: string; mimeType: string; bytes: Buffer },
): Promise<void> {
  await sql`
    insert into agent_images (org_id, agent_id, mime_type, bytes) values (${orgId}, ${agentId}, ${mimeType}, ${bytes})
    on conflict (org_id, agent_id) do update set mime_type = excluded.mime_type, bytes = excluded.bytes`
}

export async function deleteImage(sql: Sql, orgId: string, agentId: string): Promise<void> {
  await sql`delete from agent_images where org_id = ${orgId} and agent_id = ${agentId}`
}

export async function updateKey(
  sql: Sql,
  orgId: string,
  { agentId, key, now }: { agentId: string; key: string | null; now: Date },
): Promise<void> {
  await sql`update agents set image_key = ${key}, updated_at = ${now} where org_id = ${orgId} and id = ${agentId}`
}
