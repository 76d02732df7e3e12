import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { textParams } from '../state/text-params.ts'
import { app } from './root-route.tsx'

const settings = createRoute({
  getParentRoute: () => app,
  path: 'settings',
  beforeLoad: ({ location }) => {
    if (/^\/settings\/?$/.test(location.pathname)) throw redirect({ to: '/settings/account' })
  },
  component: lazyRouteComponent(() => import('./settings-layout.tsx'), 'SettingsLayout'),
})

/** Redirects a former path of the settings, with the rest of the path, to the current one. */
const redirectFrom = <const Path extends string>(path: Path, to: string) =>
  createRoute({
    getParentRoute: () => settings,
    path,
    beforeLoad: ({ location }) => {
      const old = `/settings/${path.replace('/$', '')}`
      throw redirect({ href: location.href.replace(old, `/settings/organization/${to}`), replace: true })
    },
  })

const movedRoutes = [
  redirectFrom('members', 'members'),
  redirectFrom('members/$', 'members'),
  redirectFrom('workspaces', 'workspaces'),
  redirectFrom('workspaces/$', 'workspaces'),
  redirectFrom('models', 'models'),
  redirectFrom('models/$', 'models'),
  redirectFrom('connectors', 'connectors'),
  redirectFrom('connectors/$', 'connectors'),
  redirectFrom('agent-policy', 'agent-policy'),
  redirectFrom('usage', 'quotas'),
  redirectFrom('audit', 'audit'),
] as const

const account = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  staticData: { title: 'Account' },
  component: lazyRouteComponent(() => import('../pages/accounts/account/account-page.tsx'), 'AccountPage'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: 'security',
  staticData: { title: 'Security' },
  component: lazyRouteComponent(() => import('../pages/accounts/security/security-page.tsx'), 'SecurityPage'),
})

const notifications = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  staticData: { title: 'Notifications' },
  component: lazyRouteComponent(() => import('../pages/comments/inbox/inbox-routes.ts'), 'NotificationsPage'),
})

const organization = createRoute({
  getParentRoute: () => settings,
  path: 'organization',
  staticData: { title: 'Organization' },
  component: lazyRouteComponent(
    () => import('../pages/organizations/organization/organization-page.tsx'),
    'OrganizationPage',
  ),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: 'organization/members',
  staticData: { title: 'Members' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(
    () => import('../pages/organizations/members/members-page.tsx'),
    'MembersPage',
  ),
})

const inviteMember = createRoute({
  getParentRoute: () => members,
  path: 'invite',
  staticData: { title: 'Invite people' },
  component: lazyRouteComponent(
    () => import('../pages/organizations/members/invite-dialog.tsx'),
    'InviteDialog',
  ),
})

const workspaces = createRoute({
  getParentRoute: () => settings,
  path: 'organization/workspaces',
  staticData: { title: 'Workspaces' },
  component: lazyRouteComponent(
    () => import('../pages/organizations/workspaces/workspaces-page.tsx'),
    'WorkspacesPage',
  ),
})

const newWorkspace = createRoute({
  getParentRoute: () => workspaces,
  path: 'new',
  staticData: { title: 'New workspace' },
  component: lazyRouteComponent(
    () => import('../pages/organizations/workspaces/new-workspace-dialog.tsx'),
    'NewWorkspaceDialog',
  ),
})

const workspace = createRoute({
  getParentRoute: () => workspaces,
  path: '$id',
  staticData: { title: 'Workspace' },
  component: lazyRouteComponent(
    () => import('../pages/organizations/workspaces/workspace-panel.tsx'),
    'WorkspacePanel',
  ),
})

const models = createRoute({
  getParentRoute: () => settings,
  path: 'organization/models',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'model'),
  staticData: { title: 'Models' },
  component: lazyRouteComponent(() => import('../pages/models/models-page.tsx'), 'ModelsPage'),
})

const connectors = createRoute({
  getParentRoute: () => settings,
  path: 'organization/connectors',
  staticData: { title: 'Connectors' },
  component: lazyRouteComponent(
    () => import('../pages/connections/connectors/connectors-page.tsx'),
    'ConnectorSettingsPage',
  ),
})

/** One route for three pages: slugs of custom connectors begin with `custom-`, so `new` and `import` are no slugs. */
const customConnector = createRoute({
  getParentRoute: () => settings,
  path: 'organization/connectors/$slug',
  staticData: { title: 'Custom connector' },
  component: lazyRouteComponent(
    () => import('../pages/connections/connectors/custom/custom-connector-pages.tsx'),
    'CustomConnectorPages',
  ),
})

const newProvider = createRoute({
  getParentRoute: () => models,
  path: 'new',
  staticData: { title: 'Add a model provider' },
  component: lazyRouteComponent(() => import('../pages/models/add-provider-dialog.tsx'), 'AddProviderDialog'),
})

const editProvider = createRoute({
  getParentRoute: () => models,
  path: '$providerId',
  staticData: { title: 'Edit a model provider' },
  component: lazyRouteComponent(
    () => import('../pages/models/edit-provider-dialog.tsx'),
    'EditProviderDialog',
  ),
})

const agentPolicy = createRoute({
  getParentRoute: () => settings,
  path: 'organization/agent-policy',
  staticData: { title: 'Agent policy' },
  component: lazyRouteComponent(
    () => import('../pages/agents/policy/agent-policy-page.tsx'),
    'AgentPolicyPage',
  ),
})

const files = createRoute({
  getParentRoute: () => settings,
  path: 'organization/files',
  staticData: { title: 'Files and public links' },
  component: lazyRouteComponent(
    () => import('../pages/files/settings/files-settings-page.tsx'),
    'FilesSettingsPage',
  ),
})

const usage = createRoute({
  getParentRoute: () => settings,
  path: 'organization/quotas',
  staticData: { title: 'Quotas' },
  component: lazyRouteComponent(() => import('../pages/organizations/quotas/quotas-page.tsx'), 'UsagePage'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: 'organization/audit',
  staticData: { title: 'Audit log' },
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'q', 'action', 'person', 'period', 'from', 'to'),
  component: lazyRouteComponent(() => import('../pages/organizations/audit/audit-page.tsx'), 'AuditPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: 'api-keys',
  staticData: { title: 'API keys' },
  component: lazyRouteComponent(() => import('../pages/accounts/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})

const mcp = createRoute({
  getParentRoute: () => settings,
  path: 'mcp',
  staticData: { title: 'MCP' },
  component: lazyRouteComponent(() => import('../pages/mcp/server/mcp-page.tsx'), 'McpPage'),
})

interface NewKeySearch {
  access?: 'read' | 'write'
  use?: 'mcp'
  days?: string
}

const newApiKey = createRoute({
  getParentRoute: () => apiKeys,
  path: 'new',
  staticData: { title: 'New API key' },
  // Preselects the access and the days until the key expires (links of `atrium keys create`), or the scopes for the
  // MCP server.
  validateSearch: ({ access, use, ...search }: Record<string, unknown>): NewKeySearch => ({
    ...(access === 'read' || access === 'write' ? { access } : {}),
    ...(use === 'mcp' ? { use } : {}),
    ...textParams(search, 'days'),
  }),
  component: lazyRouteComponent(
    () => import('../pages/accounts/api-keys/new-key-dialog.tsx'),
    'NewKeyDialog',
  ),
})

export const settingsRoutes = settings.addChildren([
  account,
  notifications,
  security,
  organization,
  members.addChildren([inviteMember]),
  workspaces.addChildren([newWorkspace, workspace]),
  apiKeys.addChildren([newApiKey]),
  mcp,
  connectors,
  customConnector,
  models.addChildren([newProvider, editProvider]),
  agentPolicy,
  files,
  usage,
  audit,
  ...movedRoutes,
])
