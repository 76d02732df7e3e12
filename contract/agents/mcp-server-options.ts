import { t } from '../text.ts'

/** Plain data without schemas: the server validates against it, the dashboard and the documentation show it. */

export const MCP_AUTHS = {
  none: { label: t`None`, description: t`The server needs no credentials.` },
  header: { label: t`Header`, description: t`Sends a secret, such as an API key, in a request header.` },
  oauth: { label: 'OAuth', description: t`An admin signs in to the server in a browser.` },
} as const

export type McpAuth = keyof typeof MCP_AUTHS
export const MCP_AUTH_NAMES = Object.keys(MCP_AUTHS) as [McpAuth, ...McpAuth[]]

/** In order by precedence. */
export const MCP_STATES = {
  disabled: { label: t`Disabled`, description: t`Agents can’t use it.` },
  needs_sign_in: { label: t`Needs sign-in`, description: t`An admin must sign in to the server.` },
  failing: { label: t`Failing`, description: t`The last connection failed.` },
  changed: {
    label: t`Tools changed`,
    description: t`Tools were added, changed or removed since an admin last accepted them.`,
  },
  ok: { label: 'OK', description: t`The last connection succeeded.` },
} as const

export type McpState = keyof typeof MCP_STATES
export const MCP_STATE_NAMES = Object.keys(MCP_STATES) as [McpState, ...McpState[]]

/** Agents can use only tools that are `on`. */
export const MCP_TOOL_STATES = {
  on: { label: t`On`, description: t`Agents can use it.` },
  off: { label: t`Off`, description: t`An admin accepted this tool but didn’t allow it.` },
  new: { label: t`New`, description: t`No admin has accepted it yet.` },
  changed: { label: t`Changed`, description: t`It no longer matches the definition an admin accepted.` },
  removed: { label: t`Removed`, description: t`The server no longer lists it.` },
  unusable: { label: t`Unusable`, description: t`Model providers would reject it.` },
} as const

export type McpToolState = keyof typeof MCP_TOOL_STATES
export const MCP_TOOL_STATE_NAMES = Object.keys(MCP_TOOL_STATES) as [McpToolState, ...McpToolState[]]

/** Lengths in characters. */
export const MCP_LIMITS = {
  name: 80,
  url: 2000,
  /** The tool name part that names the server. */
  slug: 24,
  secret: 4000,
  tools: 200,
  toolName: 128,
  description: 8000,
  schemaBytes: 32_768,
  schemaDepth: 16,
} as const

/** Model providers' limit for tool names, in characters. */
export const CALL_NAME_MAX = 64
