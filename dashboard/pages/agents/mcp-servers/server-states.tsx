import {
  MCP_STATES,
  MCP_TOOL_STATES,
  type McpState,
  type McpToolState,
} from '../../../../contract/agents/mcp-server-options.ts'
import { t } from '../../../../contract/text.ts'
import { type Meaning, NarrowStatus, Status } from '../../../components/status.tsx'

const SERVER_MEANINGS: Record<McpState, Meaning> = {
  ok: 'good',
  changed: 'warning',
  failing: 'bad',
  needs_sign_in: 'warning',
  disabled: 'neutral',
}

const TOOL_MEANINGS: Record<McpToolState, Meaning> = {
  on: 'good',
  off: 'neutral',
  new: 'info',
  changed: 'warning',
  removed: 'warning',
  unusable: 'bad',
}

export const ServerStatus = ({ state }: { state: McpState }) => (
  <Status meaning={SERVER_MEANINGS[state]}>{MCP_STATES[state].label}</Status>
)

export const NarrowServerStatus = ({ state }: { state: McpState }) => (
  <NarrowStatus label={MCP_STATES[state].label} meaning={SERVER_MEANINGS[state]} />
)

export const ToolStatus = ({ state }: { state: McpToolState }) => (
  <Status meaning={TOOL_MEANINGS[state]}>{MCP_TOOL_STATES[state].label}</Status>
)

const PROBLEMS: Record<string, string> = {
  expired: t`The sign-in expired or was started in another browser session. Try again.`,
  access_denied: t`The sign-in was declined at the server.`,
  wrong_issuer: t`The response came from an unexpected authorization server. Nothing was saved.`,
  failed: t`The authorization server refused the sign-in. Try again. If it still fails, check the client.`,
}

export function SignInProblem({ code }: { code: string | undefined }) {
  if (!code) return null
  return (
    <p
      role="alert"
      className="border-neutral-6 border-b bg-bad-wash px-16 py-12 text-13 text-bad-text md:px-24"
    >
      {PROBLEMS[code] ?? PROBLEMS.failed}
    </p>
  )
}
