import { isDeepStrictEqual } from 'node:util'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { CALL_ENDS } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import { inTransaction } from '../../../../database/transaction.ts'
import { ApiError } from '../../../../errors.ts'
import { fence } from '../../../../language-models/fence.ts'
import { MAY_HAVE_HAPPENED } from '../../../../tools/tool.ts'
import { type Session, withSession } from '../connection/connect.ts'
import type { Dependencies } from '../dependencies.ts'
import { isStored, type Listing, readListing, storeFailure, storeListing } from '../listing/store-listing.ts'
import { findServer, type ServerRow } from '../queries.ts'
import { openTarget, withoutSecrets } from '../sign-in/target.ts'
import type { ToolRow } from '../tool-queries.ts'

const LIMITS = { bytesMax: 8_388_608, timeoutMs: 60_000 }

export interface ToolOutput {
  source: string
  /** The model reads the error as data. */
  isError?: true
  content: string
  images: ToolImages
}

/** In base64. The text names them in this order. */
export type ToolImages = readonly { mimeType: string; data: string }[]

type AcceptedTool = Pick<ToolRow, 'serverId' | 'name' | 'callName' | 'accepted' | 'acceptedHash'>

/**
 * Lists the tools first on the same connection, and refuses a tool the server now lists differently than an admin
 * accepted.
 */
export async function callAcceptedTool(
  ctx: Dependencies,
  orgId: string,
  tool: AcceptedTool,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const server = await findServer(ctx.sql, orgId, tool.serverId)
  if (!server?.enabled)
    throw new ApiError('NOT_FOUND', `The MCP server for ${tool.callName} was removed or disabled`)
  const target = openTarget(ctx, orgId, server)
  let listing: Listing | null = null
  let isSent = false
  const work = async (session: Session) => {
    listing = await readListing(session)
    const listed = listing.tools.find(({ name }) => name === tool.name)
    if (listed?.listedHash !== tool.acceptedHash) return null
    isSent = true
    const definition = { name: tool.name, inputSchema: tool.accepted!.inputSchema as { type: 'object' } }
    return session.client.callTool(
      { name: tool.name, arguments: input },
      { ...session.options, toolDefinition: definition },
    )
  }
  const result = await withSession(ctx.outbound, target, LIMITS, work, signal)
  const source = `the MCP server ${server.name}`
  const asData = (text: string) => fence(withoutSecrets(text, target), source)
  if (listing) await storeIfChanged(ctx, orgId, server, listing, result.durationMs)
  if (result.ok) {
    if (!result.value) throw changedError(tool, server)
    const { value } = result
    const images = value.content.flatMap((block) => (block.type === 'image' ? [block] : []))
    return {
      source,
      ...(value.isError && { isError: true }),
      content: asData(resultText(value)),
      images: images.map(({ mimeType, data }) => ({ mimeType, data })),
    }
  }
  const { kind, message, detail, durationMs } = result
  if (kind === 'answered' && isSent)
    return { source, isError: true, content: asData(detail ? `${message}: ${detail}` : message), images: [] }
  if (kind !== 'canceled') {
    const failure = { problem: message, needsSignIn: kind === 'sign_in', durationMs }
    if (!isSent || kind === 'sign_in') await storeFailure(ctx.sql, orgId, server, failure, ctx.now())
  }
  if (kind === 'sign_in') throw new ApiError('PROVIDER_ERROR', message)
  const warning = isSent ? ` ${MAY_HAVE_HAPPENED}` : ''
  throw new ApiError(
    'PROVIDER_ERROR',
    `The MCP server ${server.name} could not be called. ${message}.${warning}`,
  )
}

/** Writes nothing while the server is unchanged. */
async function storeIfChanged(
  ctx: Dependencies,
  orgId: string,
  server: ServerRow,
  listing: Listing,
  durationMs: number,
): Promise<void> {
  const isHealthy = server.failingSince === null && !server.needsSignIn
  if (isHealthy && (await isStored(ctx.sql, orgId, server.id, listing))) return
  await inTransaction(ctx.sql, (sql) => storeListing(sql, orgId, server, { listing, durationMs }, ctx.now()))
}

const changedError = ({ callName }: AcceptedTool, { name }: ServerRow) =>
  new ApiError(
    'CONFLICT',
    `${callName} was not called: the MCP server ${name} changed or removed it after an admin accepted it. An admin has to accept the change.`,
  )

const LISTED_MAX = 50

interface ListedCall {
  runId: string
  tool: string
  state: (typeof CALL_ENDS)[number] | 'running'
  errorCode: string | null
  startedAt: string
  durationMs: number | null
}

/** The slug in a tool's name identifies the server. */
export const listCalls = (sql: Sql, orgId: string, slug: string) => sql<ListedCall[]>`
  select run_id as "runId", tool, state, error_code as "errorCode", started_at as "startedAt",
    (extract(epoch from finished_at - started_at) * 1000)::int as "durationMs"
  from run_calls
  where org_id = ${orgId} and tool like 'mcp\\_%' and split_part(tool, '_', 2) = ${slug} and started_at is not null
  order by started_at desc limit ${LISTED_MAX}`

/** Only names images, which follow, and sounds and files, which no run's model receives. */
function resultText({ content, structuredContent }: CallToolResult): string {
  const texts = content.map(blockText)
  if (structuredContent !== undefined && !content.some((block) => repeats(block, structuredContent)))
    texts.push(JSON.stringify(structuredContent, null, 2))
  return texts.filter(Boolean).join('\n\n') || 'The tool returned nothing.'
}

function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  if (block.type === 'image') return `[image: ${block.mimeType}, ${sizeOf(block.data)}]`
  if (block.type === 'audio') return `[audio: ${block.mimeType}, ${sizeOf(block.data)}, not shown]`
  if (block.type === 'resource_link') return `[link: ${block.name}, ${block.uri}]`
  const { resource } = block
  return 'text' in resource
    ? `[file: ${resource.uri}]\n${resource.text}`
    : `[file: ${resource.uri}, ${resource.mimeType ?? 'unknown type'}, ${sizeOf(resource.blob)}, not shown]`
}

const sizeOf = (base64: string) => `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`

/** For clients that don't read structured content. */
function repeats(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== 'text') return false
  try {
    return isDeepStrictEqual(JSON.parse(block.text), structured)
  } catch {
    return false
  }
}
