import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { root } from '../../../frame/root-route.tsx'

/** Moves the token from the path to the fragment, which browsers neither send nor log. */
const shareLink = createRoute({
  getParentRoute: () => root,
  path: 's/$token',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/s', hash: params.token, replace: true })
  },
})

/** Guests need no account. */
const share = createRoute({
  getParentRoute: () => root,
  path: 's',
  staticData: { title: t`Shared project` },
  component: lazyRouteComponent(() => import('./share-page.tsx'), 'SharePage'),
})

export const shareRoutes = [shareLink, share] as const
