import type { Page } from 'playwright-core'

/**
 * The inspection (`inspectPage`) that covers each route of the dashboard, by the name that it has in a test. A new route
 * needs an entry, and an inspection: `sign-in.browser.test.ts` compares the entries with the routes of the router.
 */
export const INSPECTED: Record<string, string> = {
  '/': 'home',
  '/$': 'not-found',
  '/agents': 'agents',
  '/agents/$id': 'agents-editor',
  '/agents/apply': 'agents-apply',
  '/agents/archived': 'agents-archived',
  '/agents/new': 'agents-new',
  '/approvals': 'approvals-empty',
  '/approvals/$approvalId': 'approval',
  '/approvals/decided': 'approvals-decided',
  '/approvals/grants': 'approvals-grants',
  '/approvals/replies': 'approvals-replies',
  '/authorize': 'authorize',
  '/change-email': 'change-email-spent',
  '/chat': 'chat-start',
  '/chat/$sessionId': 'chat-approval',
  '/chat/new': 'chat-new',
  '/device': 'device',
  '/f': 'public-file-gone',
  '/feedback': 'feedback',
  '/feedback/$id': 'feedback-panel',
  '/forms': 'forms-empty',
  '/forms/$formId': 'form',
  '/files': 'files',
  '/files/$id': 'files-folder',
  '/files/trash': 'trash',
  '/guardrails': 'guardrails',
  '/inbox': 'inbox',
  '/integrations': 'connections',
  '/integrations/$id': 'connection',
  '/integrations/connected': 'connections-connected',
  '/integrations/custom': 'connector-settings',
  '/integrations/custom/$slug': 'connector-custom',
  '/invite': 'invite',
  '/join': 'join',
  '/join/confirm': 'join-confirm',
  '/knowledge': 'sources',
  '/knowledge/test': 'test-retrieval',
  '/mcp-servers': 'mcp-servers',
  '/mcp-servers/$id': 'mcp-server-changed',
  '/memory': 'memory',
  '/memory/proposed': 'memory-proposed',
  '/operate/connectors': 'operate-connectors',
  '/operate/connectors/events': 'operate-connector-events',
  '/operate/feedback': 'queue',
  '/operate/feedback/$id': 'queue-panel',
  '/operate/health': 'health',
  '/operate/jobs': 'jobs',
  '/operate/organizations': 'operate-organizations',
  '/operate/organizations/$id': 'operate-organization',
  '/operate/organizations/erasures': 'operate-erasures',
  '/phone': 'telephony',
  '/phone/calls': 'telephony-calls',
  '/phone/calls/$callId': 'telephony-call',
  '/phone/do-not-contact': 'telephony-do-not-contact',
  '/phone/messages': 'telephony-messages',
  '/phone/routing': 'telephony-routing-empty',
  '/phone/voice-agents': 'telephony-voice-agent',
  '/projects': 'projects',
  '/projects/$ref': 'canvas-history',
  '/projects/$ref/tables': 'tables-empty',
  '/projects/$ref/tables/$tableId': 'table',
  '/projects/new': 'projects-new',
  '/projects/templates': 'projects-templates',
  '/projects/trash': 'projects-trash',
  '/reset-password': 'reset-password',
  '/runs': 'runs-empty',
  '/runs/$runId': 'run',
  '/s': 'shared',
  '/schedules': 'schedules',
  '/settings/account': 'account',
  '/settings/api-keys': 'api-keys',
  '/settings/api-keys/new': 'api-keys-new',
  '/settings/mcp': 'settings-mcp',
  '/settings/notifications': 'settings-notifications',
  '/settings/organization': 'organization',
  '/settings/organization/agent-policy': 'agent-policy',
  '/settings/organization/audit': 'audit',
  '/settings/organization/files': 'files-settings',
  '/settings/organization/members': 'members',
  '/settings/organization/members/invite': 'members-invite',
  '/settings/organization/models': 'models',
  '/settings/organization/models/$providerId': 'models-edit',
  '/settings/organization/models/new': 'models-new',
  '/settings/organization/web-search': 'web-search',
  '/settings/organization/payments': 'billing-payments',
  '/settings/organization/payments/$paymentId': 'billing-approval',
  '/settings/organization/payments/mandates': 'billing-mandates',
  '/settings/organization/payments/mandates/new': 'billing-mandate-new',
  '/settings/organization/payments/provider': 'billing-provider',
  '/settings/organization/quotas': 'quotas',
  '/settings/organization/usage': 'usage',
  '/settings/organization/workspaces': 'workspaces',
  '/settings/organization/workspaces/$id': 'workspace-panel',
  '/settings/organization/workspaces/new': 'workspaces-new',
  '/settings/security': 'security',
  '/setup': 'setup',
  '/sign-in': 'sign-in',
  '/sign-in/link': 'sign-in-link',
  '/sign-up': 'sign-up',
  '/skills': 'skills-import',
  '/skills/$id': 'skill',
  '/unsubscribe': 'unsubscribe',
  '/verify-email': 'verify-email',
  '/webhooks': 'webhooks',
  '/webhooks/$id': 'webhook',
  '/webhooks/$id/$tab': 'webhook-deliveries',
  '/webhooks/events': 'event-log-selected',
  '/webhooks/events/$eventId': 'event',
  '/webhooks/new': 'webhooks-new',
}

/** Parent routes without a page: they redirect to their first child. */
const PARENTS = ['/operate', '/settings']

interface PageRouter {
  state: { matches: { fullPath: string }[] }
  routesById: Record<string, { fullPath: string; options: { component?: unknown; beforeLoad?: unknown } }>
}

/** The route of the page that is open. Runs in the page. */
export function shownRoute(): string | undefined {
  const { __TSR_ROUTER__: router } = globalThis as { __TSR_ROUTER__?: PageRouter }
  return router?.state.matches.at(-1)?.fullPath.replace(/(?<=.)\/$/, '')
}

/** Every route that shows a page; those that only redirect are left out. */
export async function listRoutes(page: Page): Promise<string[]> {
  const paths = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__: PageRouter }
    const isRedirect = ({ options }: PageRouter['routesById'][string]) =>
      options.beforeLoad !== undefined && options.component === undefined
    return Object.values(router.routesById)
      .filter((route) => route.fullPath && !isRedirect(route))
      .map(({ fullPath }) => fullPath.replace(/(?<=.)\/$/, ''))
  })
  return [...new Set(paths)].filter((path) => !PARENTS.includes(path)).sort()
}
