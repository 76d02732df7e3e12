import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'
import { parseRunsSearch } from './runs-search.ts'

const runs = createRoute({ getParentRoute: () => app, path: 'runs', staticData: { title: 'Runs' } })

const list = createRoute({
  getParentRoute: () => runs,
  path: '/',
  validateSearch: parseRunsSearch,
  component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
})

const run = createRoute({
  getParentRoute: () => runs,
  path: '$runId',
  staticData: { title: 'Run' },
  // `prompt` opens the prompt of an attempt beside the timeline, such as `2.1`.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'prompt', 'comment'),
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

export const runsRoutes = runs.addChildren([list, run])

const approvals = createRoute({
  getParentRoute: () => app,
  path: 'approvals',
  staticData: { title: 'Approvals' },
})

const openApprovals = createRoute({
  getParentRoute: () => approvals,
  path: '/',
  component: lazyRouteComponent(() => import('../approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const replies = createRoute({
  getParentRoute: () => approvals,
  path: 'replies',
  staticData: { title: 'Replies' },
  component: lazyRouteComponent(() => import('../approvals/replies-page.tsx'), 'RepliesPage'),
})

const decidedApprovals = createRoute({
  getParentRoute: () => approvals,
  path: 'decided',
  staticData: { title: 'Decided approvals' },
  component: lazyRouteComponent(() => import('../approvals/decided-page.tsx'), 'DecidedApprovalsPage'),
})

const grants = createRoute({
  getParentRoute: () => approvals,
  path: 'grants',
  staticData: { title: 'Always allowed tools' },
  component: lazyRouteComponent(() => import('../approvals/grants-page.tsx'), 'GrantsPage'),
})

const approval = createRoute({
  getParentRoute: () => approvals,
  path: '$approvalId',
  staticData: { title: 'Approval' },
  component: lazyRouteComponent(() => import('../approvals/approval-page.tsx'), 'ApprovalPage'),
})

export const approvalsRoutes = approvals.addChildren([
  openApprovals,
  replies,
  decidedApprovals,
  grants,
  approval,
])
