import { MCP_LIMITS } from '../../../../contract/agents/mcp-server-options.ts'
import type { mcpServers } from '../../../../contract/agents/mcp-servers.ts'
import { toDisplayName } from '../../../../contract/display-name.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { type CheckResult, checkTarget, storeCheckResult } from './check.ts'
import { sealCredentials, validateUrl } from './credentials.ts'
import { createSlug } from './listing/call-name.ts'
import type { ReadTool } from './listing/definition.ts'
import { findIdByName, insertServer, listSlugs, lockNames } from './queries.ts'
import { readServerDetails } from './records.ts'
import { targetWith } from './sign-in/target.ts'
import { acceptTool } from './tool-queries.ts'

type Input = InputOf<typeof mcpServers.create>

/** Without a name, uses one from the server or its URL. Accepts the allowed tools. */
export async function createServer(ctx: Context<'outbound' | 'quotas' | 'vault'>, input: Input) {
  const { orgId, userId: createdBy } = ctx.caller
  const url = await validateUrl(ctx, input.url)
  const id = newId()
  const credentials = sealCredentials(ctx, id, input.auth, input)
  const { auth, trusted, approvals } = input
  const checkResult = auth === 'oauth' ? null : await checkTarget(ctx, targetWith(url, input.header))
  const allowed = checkResult?.listing ? allowedOf(checkResult.listing.tools, input.allow) : []
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    await lockNames(sql, orgId)
    const name = await nameOf(inside, input, checkResult, url)
    const slug = createSlug(name, await listSlugs(sql, orgId))
    const now = ctx.now()
    await insertServer(sql, orgId, {
      id,
      name,
      slug,
      url,
      ...credentials,
      trusted,
      approvals,
      createdBy,
      now,
    })
    await ctx.quotas.requireWithin(sql, orgId, 'mcp', now)
    if (checkResult) await storeCheckResult(sql, orgId, { id, slug, url }, checkResult, now)
    for (const { name: tool, listedHash: hash } of allowed)
      await acceptTool(sql, orgId, id, { name: tool, hash, allow: true, by: createdBy, now })
    const { host } = new URL(url)
    const details = { name, host, auth, trusted: String(trusted), tools: String(allowed.length) }
    await recordAudit(inside, { action: 'mcp-server.created', by: ctx.caller, target: id, details })
    return readServerDetails(inside, id)
  })
}

function allowedOf(tools: readonly ReadTool[], allow: readonly string[]): ReadTool[] {
  return allow.map((name, index) => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw badField(`body.allow.${index}`, 'must be a tool that the server lists')
    if (tool.problem) throw badField(`body.allow.${index}`, `cannot be used. ${tool.problem}`)
    return tool
  })
}

/** A requested name must be free. Other names get a number. */
async function nameOf(
  ctx: Context,
  { name }: Input,
  checkResult: CheckResult | null,
  url: string,
): Promise<string> {
  const { orgId } = ctx.caller
  if (name !== undefined) {
    if (await findIdByName(ctx.sql, orgId, name)) throw nameTaken(name)
    return name
  }
  const defaultName =
    checkResult?.listing?.implementation.name || toDisplayName(new URL(url).hostname, MCP_LIMITS.name)
  for (let number = 1; ; number++) {
    const free = number === 1 ? defaultName : `${defaultName.slice(0, MCP_LIMITS.name - 5)} ${number}`
    if (!(await findIdByName(ctx.sql, orgId, free))) return free
  }
}

export const nameTaken = (name: string) =>
  conflict(`The organization already has an MCP server with the name ${name}`)
