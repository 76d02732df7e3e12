import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { requireSession, root } from '../../frame/root-route.tsx'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'

export const mcpSettings = createRoute({
  getParentRoute: () => settings,
  path: 'mcp',
  staticData: { title: t`Connected apps` },
  component: lazyRouteComponent(() => import('./server/mcp-page.tsx'), 'McpPage'),
})

/** Apps open this with their request as the query. Sign-in returns to the same request. */
export const authorize = createRoute({
  getParentRoute: () => root,
  path: 'authorize',
  staticData: { title: t`Connect an app` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'asked'),
  beforeLoad: async (args) => {
    const { packQuery, unpackQuery } = await import('./authorize/request-query.ts')
    if (unpackQuery(args.search.asked) === undefined && location.search !== '')
      throw redirect({ to: '/authorize', search: { asked: packQuery(location.search) }, replace: true })
    await requireSession(args)
  },
  component: lazyRouteComponent(() => import('./authorize/authorize-page.tsx'), 'AuthorizePage'),
})
