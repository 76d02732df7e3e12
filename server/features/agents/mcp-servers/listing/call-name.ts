import { CALL_NAME_MAX, MCP_LIMITS } from '../../../../../contract/agents/mcp-server-options.ts'
import { sha256 } from '../../../../security/digest.ts'

/** No built-in tool's name has this prefix. */
export const PREFIX = 'mcp_'

/**
 * At most 64 characters that every model provider accepts. A changed name ends with a hash of the original, so that
 * it's the same in every listing.
 */
export function createCallName(slug: string, tool: string, taken: ReadonlySet<string>): string {
  const start = `${PREFIX}${slug}_`
  const plain = tool.replace(/[^A-Za-z0-9_-]+/g, '_')
  const short = `${start}${plain}`
  if (plain === tool && short.length <= CALL_NAME_MAX && !taken.has(short)) return short
  for (let attempt = 0; ; attempt++) {
    const suffix = `_${sha256(attempt === 0 ? tool : `${tool} ${attempt}`)
      .toString('hex')
      .slice(0, 8)}`
    const name = `${short.slice(0, CALL_NAME_MAX - suffix.length)}${suffix}`
    if (!taken.has(name)) return name
  }
}

/** Lowercase letters, digits and hyphens, no underscores, and not in `taken`. */
export function createSlug(name: string, taken: readonly string[]): string {
  const base =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, MCP_LIMITS.slug)
      .replace(/^-+|-+$/g, '') || 'server'
  if (!taken.includes(base)) return base
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const slug = `${base.slice(0, MCP_LIMITS.slug - suffix.length)}${suffix}`
    if (!taken.includes(slug)) return slug
  }
}
