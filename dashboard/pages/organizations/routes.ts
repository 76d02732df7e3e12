import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { root } from '../../frame/root-route.tsx'
import { operate, settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'

export const invite = createRoute({
  getParentRoute: () => root,
  path: 'invite',
  staticData: { title: t`Invitation` },
  component: lazyRouteComponent(() => import('./invite/invite-page.tsx'), 'InvitePage'),
})

const organization = createRoute({
  getParentRoute: () => settings,
  path: 'organization',
  staticData: { title: t`General` },
  component: lazyRouteComponent(() => import('./organization/organization-page.tsx'), 'OrganizationPage'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: 'organization/members',
  staticData: { title: t`Members` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./members/members-page.tsx'), 'MembersPage'),
})

const inviteMember = createRoute({
  getParentRoute: () => members,
  path: 'invite',
  staticData: { title: t`Invite members` },
  component: lazyRouteComponent(() => import('./members/invite-dialog.tsx'), 'InviteDialog'),
})

const workspaces = createRoute({
  getParentRoute: () => settings,
  path: 'organization/workspaces',
  staticData: { title: t`Workspaces` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
})

const newWorkspace = createRoute({
  getParentRoute: () => workspaces,
  path: 'new',
  staticData: { title: t`New workspace` },
  component: lazyRouteComponent(() => import('./workspaces/new-workspace-dialog.tsx'), 'NewWorkspaceDialog'),
})

const workspace = createRoute({
  getParentRoute: () => workspaces,
  path: '$id',
  staticData: { title: t`Workspace` },
  component: lazyRouteComponent(() => import('./workspaces/workspace-panel.tsx'), 'WorkspacePanel'),
})

const quotas = createRoute({
  getParentRoute: () => settings,
  path: 'organization/quotas',
  staticData: { title: t`Quotas` },
  component: lazyRouteComponent(() => import('./quotas/quotas-page.tsx'), 'QuotasPage'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: 'organization/audit',
  staticData: { title: t`Audit log` },
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'q', 'action', 'person', 'period', 'from', 'to'),
  component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
})

export const organizationSettings = [
  organization,
  members.addChildren([inviteMember]),
  workspaces.addChildren([newWorkspace, workspace]),
  quotas,
  audit,
] as const

const health = createRoute({
  getParentRoute: () => operate,
  path: 'health',
  staticData: { title: t`Health` },
  component: lazyRouteComponent(() => import('./health/health-page.tsx'), 'HealthPage'),
})

const jobs = createRoute({
  getParentRoute: () => operate,
  path: 'jobs',
  staticData: { title: t`Jobs` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'state'),
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
})

const operatedOrganizations = createRoute({
  getParentRoute: () => operate,
  path: 'organizations',
  staticData: { title: t`Organizations` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'state', 'sort'),
  component: lazyRouteComponent(() => import('./operated/organizations-page.tsx'), 'OrganizationsPage'),
})

const operatedOrganization = createRoute({
  getParentRoute: () => operate,
  path: 'organizations/$id',
  staticData: { title: t`Organization` },
  component: lazyRouteComponent(() => import('./operated/organization-page.tsx'), 'OrganizationPage'),
})

const erasures = createRoute({
  getParentRoute: () => operate,
  path: 'organizations/erasures',
  staticData: { title: t`Erasures` },
  component: lazyRouteComponent(() => import('./operated/erasures-page.tsx'), 'ErasuresPage'),
})

export const operatorRoutes = [health, jobs, operatedOrganizations, operatedOrganization, erasures] as const
