import { MCP_LIMITS } from '../../../../../contract/agents/mcp-server-options.ts'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import type { Session } from '../connection/connect.ts'
import type { Implementation } from '../queries.ts'
import { type ReadTool, readTool } from './definition.ts'

const VERSION_CHARACTERS = 40

export interface Listing {
  implementation: Implementation
  tools: ReadTool[]
}

/** Lists the tools of a server now, except those over the limit or with an empty, too long or repeated name. */
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

/** Without control characters and characters that cannot be stored. */
const isPlain = (name: string) => name.isWellFormed() && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name)
