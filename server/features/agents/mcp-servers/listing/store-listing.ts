import { MCP_LIMITS } from '../../../../../contract/agents/mcp-server-options.ts'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Session } from '../connection/connect.ts'
import { type Implementation, lockServer, type ServerRow } from '../queries.ts'
import { listCallNames, listToolHashes, replaceListing, type ToolHash } from '../tool-queries.ts'
import { createCallName } from './call-name.ts'
import { type ReadTool, readTool } from './definition.ts'

export interface ConnectionResult {
  listing: Listing
  durationMs: number
}

/** Locks the server, so it needs a transaction. Replaces the tools only if their list differs. */
export async function storeListing(
  sql: Sql,
  orgId: string,
  server: Pick<ServerRow, 'id' | 'slug' | 'url'>,
  { listing, durationMs }: ConnectionResult,
  now: Date,
): Promise<void> {
  const locked = await lockServer(sql, orgId, server.id)
  // Deleted or moved to another URL meanwhile.
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
    const callName = names.get(tool.name) ?? createCallName(server.slug, tool.name, taken)
    taken.add(callName)
    return { ...tool, callName }
  })
  await replaceListing(sql, orgId, server.id, tools)
}

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

/** Its tools stay as they were. */
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

const VERSION_CHARACTERS = 40

export interface Listing {
  implementation: Implementation
  tools: ReadTool[]
}

/** Skips tools over the limit or with an empty, overlong or repeated name. */
export async function readListing({ client, options }: Session): Promise<Listing> {
  const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'bypass' })
  const byName = new Map<string, ReadTool>()
  for (const tool of tools) {
    const isNameValid = tool.name !== '' && tool.name.length <= MCP_LIMITS.toolName && isPlain(tool.name)
    if (isNameValid && !byName.has(tool.name) && byName.size < MCP_LIMITS.tools)
      byName.set(tool.name, readTool(tool))
  }
  const version = client.getServerVersion()
  const implementation = {
    name: toDisplayName(version?.title ?? version?.name ?? '', MCP_LIMITS.name),
    version: toDisplayName(version?.version ?? '', VERSION_CHARACTERS),
    protocol: toDisplayName(client.getNegotiatedProtocolVersion() ?? '', VERSION_CHARACTERS),
    leftOut: tools.length - byName.size,
  }
  return { implementation, tools: [...byName.values()] }
}

const isPlain = (name: string) => name.isWellFormed() && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name)
