import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { root } from '../../../frame/root-route.tsx'

/** Moves the token to the fragment, as for share links. */
const publicLink = createRoute({
  getParentRoute: () => root,
  path: 'f/$token',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/f', hash: params.token, replace: true })
  },
})

const publicFile = createRoute({
  getParentRoute: () => root,
  path: 'f',
  staticData: { title: t`Shared file` },
  component: lazyRouteComponent(() => import('./public-page.tsx'), 'PublicPage'),
})

export const publicLinkRoutes = [publicLink, publicFile] as const
