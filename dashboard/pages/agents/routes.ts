import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'
import { parseRunsSearch } from './runs/runs-search.ts'

const agents = createRoute({ getParentRoute: () => app, path: 'agents', staticData: { title: t`Agents` } })

const agentList = createRoute({
  getParentRoute: () => agents,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./agents/agents-page.tsx'), 'AgentsPage'),
})

const archivedAgents = createRoute({
  getParentRoute: () => agents,
  path: 'archived',
  staticData: { title: t`Archived agents` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./agents/agents-page.tsx'), 'ArchivedAgentsPage'),
})

const newAgent = createRoute({
  getParentRoute: () => agents,
  path: 'new',
  staticData: { title: t`New agent` },
  // `from` opens the editor with a template, or `blank`; `template` previews one.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'from', 'template', 'tab'),
  component: lazyRouteComponent(() => import('./agents/new-agent-page.tsx'), 'NewAgentPage'),
})

const apply = createRoute({
  getParentRoute: () => agents,
  path: 'apply',
  staticData: { title: t`Apply changes` },
  component: lazyRouteComponent(() => import('./agents/apply/apply-page.tsx'), 'ApplyPage'),
})

const agent = createRoute({
  getParentRoute: () => agents,
  path: '$id',
  staticData: { title: t`Agent` },
  // The panel beside the editor: `versions`, `try` (with its conversation's `session`) or `none`. `tab` is the editor's,
  // `template` what the agent was created from.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'panel', 'session', 'tab', 'template'),
  component: lazyRouteComponent(() => import('./agents/agent-page.tsx'), 'AgentPage'),
})

export const agentsRoutes = agents.addChildren([agentList, archivedAgents, newAgent, apply, agent])

const chat = createRoute({
  getParentRoute: () => app,
  path: 'chat',
  staticData: { title: t`Chat` },
  // `project` and `agent` preselect a new chat's; `people` opens the participants list; `in` lists one project's.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'q', 'in', 'project', 'agent', 'people'),
  component: lazyRouteComponent(() => import('./chat/chat-page.tsx'), 'ChatPage'),
})

const chatStart = createRoute({
  getParentRoute: () => chat,
  path: '/',
  component: lazyRouteComponent(() => import('./chat/new-chat-page.tsx'), 'ChatStartPage'),
})

const newChat = createRoute({
  getParentRoute: () => chat,
  path: 'new',
  staticData: { title: t`New chat` },
  component: lazyRouteComponent(() => import('./chat/new-chat-page.tsx'), 'NewChatPage'),
})

const conversation = createRoute({
  getParentRoute: () => chat,
  path: '$sessionId',
  staticData: { title: t`Conversation` },
  // `message`: the number of the one to show.
  validateSearch: ({ message }: Record<string, unknown>): { message?: number } =>
    Number.isSafeInteger(message) ? { message: message as number } : {},
  component: lazyRouteComponent(() => import('./chat/conversation-page.tsx'), 'ConversationPage'),
})

export const chatRoutes = chat.addChildren([chatStart, newChat, conversation])

const runs = createRoute({ getParentRoute: () => app, path: 'runs', staticData: { title: t`Runs` } })

const runList = createRoute({
  getParentRoute: () => runs,
  path: '/',
  validateSearch: parseRunsSearch,
  component: lazyRouteComponent(() => import('./runs/runs-page.tsx'), 'RunsPage'),
})

const run = createRoute({
  getParentRoute: () => runs,
  path: '$runId',
  staticData: { title: t`Run` },
  // `prompt` opens an attempt's prompt, such as `2.1`, beside the timeline.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'prompt', 'comment'),
  component: lazyRouteComponent(() => import('./runs/run-page.tsx'), 'RunPage'),
})

export const runsRoutes = runs.addChildren([runList, run])

const forms = createRoute({
  getParentRoute: () => app,
  path: 'forms',
  staticData: { title: t`Forms` },
})

const openForms = createRoute({
  getParentRoute: () => forms,
  path: '/',
  component: lazyRouteComponent(() => import('./forms/forms-page.tsx'), 'FormsPage'),
})

const form = createRoute({
  getParentRoute: () => forms,
  path: '$formId',
  staticData: { title: t`Form` },
  component: lazyRouteComponent(() => import('./forms/form-page.tsx'), 'FormPage'),
})

export const formsRoutes = forms.addChildren([openForms, form])

const approvals = createRoute({
  getParentRoute: () => app,
  path: 'approvals',
  staticData: { title: t`Approvals` },
})

const openApprovals = createRoute({
  getParentRoute: () => approvals,
  path: '/',
  component: lazyRouteComponent(() => import('./approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const replies = createRoute({
  getParentRoute: () => approvals,
  path: 'replies',
  staticData: { title: t`Replies` },
  component: lazyRouteComponent(() => import('./approvals/replies-page.tsx'), 'RepliesPage'),
})

const decidedApprovals = createRoute({
  getParentRoute: () => approvals,
  path: 'decided',
  staticData: { title: t`Decided approvals` },
  component: lazyRouteComponent(() => import('./approvals/decided-page.tsx'), 'DecidedApprovalsPage'),
})

const grants = createRoute({
  getParentRoute: () => approvals,
  path: 'grants',
  staticData: { title: t`Always allowed tools` },
  component: lazyRouteComponent(() => import('./approvals/grants-page.tsx'), 'GrantsPage'),
})

const approval = createRoute({
  getParentRoute: () => approvals,
  path: '$approvalId',
  staticData: { title: t`Approval` },
  component: lazyRouteComponent(() => import('./approvals/approval-page.tsx'), 'ApprovalPage'),
})

export const approvalsRoutes = approvals.addChildren([
  openApprovals,
  replies,
  decidedApprovals,
  grants,
  approval,
])

export const schedulesRoute = createRoute({
  getParentRoute: () => app,
  path: 'schedules',
  staticData: { title: t`Schedules` },
  component: lazyRouteComponent(() => import('./schedules/schedules-page.tsx'), 'SchedulesPage'),
})

export const guardrailsRoute = createRoute({
  getParentRoute: () => app,
  path: 'guardrails',
  staticData: { title: t`Guardrails` },
  component: lazyRouteComponent(() => import('./guardrails/guardrails-page.tsx'), 'GuardrailsPage'),
})

const servers = createRoute({
  getParentRoute: () => app,
  path: 'mcp-servers',
  staticData: { title: t`MCP servers` },
})

const serverList = createRoute({
  getParentRoute: () => servers,
  path: '/',
  // `error` is why a sign-in failed.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'error'),
  component: lazyRouteComponent(() => import('./mcp-servers/servers-page.tsx'), 'McpServersPage'),
})

const server = createRoute({
  getParentRoute: () => servers,
  path: '$id',
  staticData: { title: t`MCP server` },
  // `tool` is the open tool; the others are a sign-in's result.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'tool', 'error', 'signed-in'),
  component: lazyRouteComponent(() => import('./mcp-servers/server-page.tsx'), 'McpServerPage'),
})

export const mcpServersRoutes = servers.addChildren([serverList, server])

export const agentPolicySettings = createRoute({
  getParentRoute: () => settings,
  path: 'organization/agent-policy',
  staticData: { title: t`Agent policy` },
  component: lazyRouteComponent(() => import('./policy/agent-policy-page.tsx'), 'AgentPolicyPage'),
})
