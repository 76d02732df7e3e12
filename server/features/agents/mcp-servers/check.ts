import type { mcpServers } from '../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { redactSecrets } from '../../../security/redact-secrets.ts'
import { type Target, withSession } from './connection/connect.ts'
import type { Dependencies } from './dependencies.ts'
import { type Listing, readListing, storeFailure, storeListing } from './listing/store-listing.ts'
import type { ServerRow } from './queries.ts'
import { findRow, readServerDetails } from './records.ts'
import { openTarget, withoutSecrets } from './sign-in/target.ts'

const LIMITS = { bytesMax: 4_194_304, timeoutMs: 20_000 }

/** A failure is part of the response. */
export async function checkServer(
  ctx: Context<'outbound' | 'vault'>,
  { id }: InputOf<typeof mcpServers.check>,
) {
  const server = await findRow(ctx, id)
  const { problem, latencyMs } = await connectAndStore(ctx, ctx.caller.orgId, server)
  return { ok: problem === null, problem, latencyMs, server: await readServerDetails(ctx, id) }
}

export async function connectAndStore(
  ctx: Dependencies,
  orgId: string,
  server: ServerRow,
): Promise<CheckResult> {
  const checkResult = await checkTarget(ctx, openTarget(ctx, orgId, server))
  await inTransaction(ctx.sql, (sql) => storeCheckResult(sql, orgId, server, checkResult, ctx.now()))
  return checkResult
}

export interface CheckResult {
  /** Null if the connection failed. */
  listing: Listing | null
  /** For admins. Includes the other server's message. */
  problem: string | null
  needsSignIn: boolean
  latencyMs: number
}

export async function checkTarget(ctx: Pick<Dependencies, 'outbound'>, target: Target): Promise<CheckResult> {
  const result = await withSession(ctx.outbound, target, LIMITS, readListing)
  const { durationMs: latencyMs } = result
  if (result.ok) return { listing: result.value, problem: null, needsSignIn: false, latencyMs }
  const { message, detail, kind } = result
  const problem = withoutSecrets(detail ? `${message}: ${redactSecrets(detail)}` : message, target)
  return { listing: null, problem, needsSignIn: kind === 'sign_in', latencyMs }
}

export async function storeCheckResult(
  sql: Sql,
  orgId: string,
  server: Pick<ServerRow, 'id' | 'slug' | 'url'>,
  { listing, problem, needsSignIn, latencyMs: durationMs }: CheckResult,
  now: Date,
): Promise<void> {
  if (listing) await storeListing(sql, orgId, server, { listing, durationMs }, now)
  else await storeFailure(sql, orgId, server, { problem: problem!, needsSignIn, durationMs }, now)
}
