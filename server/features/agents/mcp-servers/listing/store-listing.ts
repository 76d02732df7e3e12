import type { Sql } from '../../../../database/database.ts'
import { lockServer, type ServerRow } from '../queries.ts'
import { listCallNames, listToolHashes, replaceListing, type ToolHash } from '../tool-queries.ts'
import { callNameOf } from './call-name.ts'
import type { Listing } from './read-listing.ts'

export interface ConnectionResult {
  listing: Listing
  durationMs: number
}

/** Stores the result of a connection. Must run in a transaction, because it locks the server. Replaces the tools only if their list differs. */
export async function storeListing(
  sql: Sql,
  orgId: string,
  server: Pick<ServerRow, 'id' | 'slug' | 'url'>,
  { listing, durationMs }: ConnectionResult,
  now: Date,
): Promise<void> {
  const locked = await lockServer(sql, orgId, server.id)
  // The server was deleted, or moved to another URL, since the connection began.
  if (!locked || locked.url !== server.url) return
  await sql`
    update mcp_servers set checked_at = ${now}, latency_ms = ${durationMs}, failing_since = null, problem = null,
      needs_sign_in = false, implementation = ${sql.json(listing.implementation as never)}
    where org_id = ${orgId} and id = ${server.id}`
  const storedTools = await listToolHashes(sql, orgId, server.id)
  if (isSame(storedTools, listing)) return
  const taken = new Set(await listCallNames(sql, orgId))
  const names = new Map(storedTools.map(({ name, callName }) => [name, callName]))
  const tools = listing.tools.map((tool) => {
    const callName = names.get(tool.name) ?? callNameOf(server.slug, tool.name, taken)
    taken.add(callName)
    return { ...tool, callName }
  })
  await replaceListing(sql, orgId, server.id, tools)
}

/** Whether the tools are stored as the server lists them now. */
export async function isStored(
  sql: Sql,
  orgId: string,
  serverId: string,
  listing: Listing,
): Promise<boolean> {
  return isSame(await listToolHashes(sql, orgId, serverId), listing)
}

type ToolIdentity = Pick<ToolHash, 'name' | 'listedHash' | 'problem'>

function isSame(storedTools: readonly ToolHash[], { tools }: Listing): boolean {
  const fingerprintOf = ({ name, listedHash, problem }: ToolIdentity) =>
    JSON.stringify([name, listedHash, problem])
  const before = new Set(storedTools.filter(({ listedHash }) => listedHash).map(fingerprintOf))
  return before.size === tools.length && tools.every((tool) => before.has(fingerprintOf(tool)))
}

/** Marks a server whose connection failed. Its tools stay as they were. */
export const storeFailure = (
  sql: Sql,
  orgId: string,
  server: Pick<ServerRow, 'id' | 'url'>,
  failure: { problem: string; needsSignIn: boolean; durationMs: number },
  now: Date,
) => sql`
  update mcp_servers set checked_at = ${now}, latency_ms = ${failure.durationMs}, problem = ${failure.problem},
    failing_since = coalesce(failing_since, ${now}), needs_sign_in = needs_sign_in or ${failure.needsSignIn}
  where org_id = ${orgId} and id = ${server.id} and url = ${server.url}`
