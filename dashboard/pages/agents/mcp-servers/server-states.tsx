import {
  MCP_STATES,
  MCP_TOOL_STATES,
  type McpState,
  type McpToolState,
} from '../../../../contract/agents/mcp-server-options.ts'
import { type Meaning, Status } from '../../../components/status.tsx'

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

export const ToolStatus = ({ state }: { state: McpToolState }) => (
  <Status meaning={TOOL_MEANINGS[state]}>{MCP_TOOL_STATES[state].label}</Status>
)
