import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

const servers = createRoute({
  getParentRoute: () => app,
  path: 'mcp-servers',
  staticData: { title: 'MCP servers' },
})

const list = createRoute({
  getParentRoute: () => servers,
  path: '/',
  // `error` is the reason of a sign-in that failed.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'error'),
  component: lazyRouteComponent(() => import('./servers-page.tsx'), 'McpServersPage'),
})

const server = createRoute({
  getParentRoute: () => servers,
  path: '$id',
  staticData: { title: 'MCP server' },
  // `tool` is the open tool; the others are the result of a sign-in.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'tool', 'error', 'signed-in'),
  component: lazyRouteComponent(() => import('./server-page.tsx'), 'McpServerPage'),
})

export const mcpServersRoutes = servers.addChildren([list, server])
