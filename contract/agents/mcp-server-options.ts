/**
 * The values of the settings of an MCP server. Plain data without schemas: the server validates against them, and the
 * dashboard and the documentation show them.
 */

export const MCP_AUTHS = {
  none: { label: 'None', description: 'The server needs no credentials.' },
  header: { label: 'Header', description: 'A secret in a header of each request, such as an API key.' },
  oauth: { label: 'OAuth', description: 'An admin signs in to the server in a browser.' },
} as const

export type McpAuth = keyof typeof MCP_AUTHS
export const MCP_AUTH_NAMES = Object.keys(MCP_AUTHS) as [McpAuth, ...McpAuth[]]

/** The state of a server, in the order of precedence. */
export const MCP_STATES = {
  disabled: { label: 'Disabled', description: 'Agents cannot use it.' },
  needs_sign_in: { label: 'Needs sign-in', description: 'An admin has to sign in to the server.' },
  failing: { label: 'Failing', description: 'The last connection failed.' },
  changed: {
    label: 'Tools changed',
    description: 'Tools are new, changed or removed since an admin accepted them.',
  },
  ok: { label: 'OK', description: 'The last connection succeeded.' },
} as const

export type McpState = keyof typeof MCP_STATES
export const MCP_STATE_NAMES = Object.keys(MCP_STATES) as [McpState, ...McpState[]]

/** The state of a tool. Agents can use tools that are `on`, and no others. */
export const MCP_TOOL_STATES = {
  on: { label: 'On', description: 'Agents can use it.' },
  off: { label: 'Off', description: 'An admin accepted the tool and did not allow it.' },
  new: { label: 'New', description: 'No admin has accepted it.' },
  changed: { label: 'Changed', description: 'It differs from the definition that an admin accepted.' },
  removed: { label: 'Removed', description: 'The server no longer lists it.' },
  unusable: { label: 'Unusable', description: 'Model providers would refuse it.' },
} as const

export type McpToolState = keyof typeof MCP_TOOL_STATES
export const MCP_TOOL_STATE_NAMES = Object.keys(MCP_TOOL_STATES) as [McpToolState, ...McpToolState[]]

/** Lengths in characters, and numbers of entries. */
export const MCP_LIMITS = {
  name: 80,
  url: 2000,
  /** The length of the part of a tool name that names the server. */
  slug: 24,
  secret: 4000,
  tools: 200,
  toolName: 128,
  description: 8000,
  schemaBytes: 32_768,
  schemaDepth: 16,
} as const

/** Model providers accept this many characters in the name of a tool. */
export const CALL_NAME_MAX = 64
