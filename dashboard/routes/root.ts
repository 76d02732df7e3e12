import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { AppFrame } from '../frame/app-frame.tsx'
import { Root } from '../frame/root.tsx'
import { FramelessErrorPage } from '../pages/states/error-page.tsx'

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  errorComponent: FramelessErrorPage,
})

/** Sends whoever is not signed in to the door, and back here afterwards. */
export const requireSession = async ({
  context,
  location,
}: {
  context: { queries: QueryClient }
  location: { href: string }
}) => {
  const session = await context.queries.ensureQueryData(sessionQuery)
  if (!session)
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
}

/** Everything below is for signed-in people. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: requireSession,
  component: AppFrame,
  errorComponent: FramelessErrorPage,
})

/** The named parts of an address that are text; whatever else stands there is nobody's. */
export function textParams<Name extends string>(search: Record<string, unknown>, ...names: Name[]) {
  // The router reads digits as a number, and a code may be all digits.
  const found = names.filter((name) => /^(string|number)$/.test(typeof search[name]))
  return Object.fromEntries(found.map((name) => [name, String(search[name])])) as { [N in Name]?: string }
}
