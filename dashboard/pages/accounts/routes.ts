import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { publicApi } from '../../api/client.ts'
import { requireSession, root } from '../../frame/root-route.tsx'
import { textParams } from '../../state/text-params.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { nextPath } from './sign-in/use-sign-in.ts'

/** The pages outside the app frame. */

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  staticData: { title: 'Sign in' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'next', 'error'),
  beforeLoad: async ({ search }) => {
    // Bypasses the cache, which may still contain the session that has just ended.
    const session = await publicApi.accounts.session().catch(() => null)
    if (session) throw redirect({ href: nextPath(search.next) })
  },
  component: SignInPage,
})

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  staticData: { title: 'Set up' },
  component: lazyRouteComponent(() => import('./setup/setup-page.tsx'), 'SetupPage'),
})

const signInLink = createRoute({
  getParentRoute: () => root,
  path: 'sign-in/link',
  staticData: { title: 'Sign in' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'next'),
  component: lazyRouteComponent(() => import('./sign-in/magic-link-page.tsx'), 'MagicLinkPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  staticData: { title: 'Reset your password' },
  component: lazyRouteComponent(
    () => import('./reset-password/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: 'verify-email',
  staticData: { title: 'Verify your email' },
  component: lazyRouteComponent(() => import('./verify-email/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const changeEmail = createRoute({
  getParentRoute: () => root,
  path: 'change-email',
  staticData: { title: 'Change your email' },
  component: lazyRouteComponent(() => import('./verify-email/verify-email-page.tsx'), 'ChangeEmailPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: 'sign-up',
  staticData: { title: 'Create an account' },
  component: lazyRouteComponent(() => import('./sign-up/sign-up-page.tsx'), 'SignUpPage'),
})

const invite = createRoute({
  getParentRoute: () => root,
  path: 'invite',
  staticData: { title: 'Invitation' },
  component: lazyRouteComponent(() => import('../organizations/invite/invite-page.tsx'), 'InvitePage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: 'join',
  staticData: { title: 'Join a project' },
  component: lazyRouteComponent(() => import('../projects/join/join-page.tsx'), 'JoinPage'),
})

/** Share links have their token in the path. It moves to the fragment, which browsers neither send nor log. */
const shareLink = createRoute({
  getParentRoute: () => root,
  path: 's/$token',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/s', hash: params.token, replace: true })
  },
})

const confirmJoin = createRoute({
  getParentRoute: () => root,
  path: 'join/confirm',
  staticData: { title: 'Join a project' },
  component: lazyRouteComponent(() => import('../projects/join/confirm-join-page.tsx'), 'ConfirmJoinPage'),
})

/** A shared project; guests need no account. */
const share = createRoute({
  getParentRoute: () => root,
  path: 's',
  staticData: { title: 'Shared project' },
  component: lazyRouteComponent(() => import('../projects/share/share-page.tsx'), 'SharePage'),
})

/** Moves the token of a public link to the fragment, as for share links. */
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
  staticData: { title: 'Shared file' },
  component: lazyRouteComponent(() => import('../files/public-links/public-page.tsx'), 'PublicPage'),
})

/** Requires a session, but has no app frame. */
const device = createRoute({
  getParentRoute: () => root,
  path: 'device',
  staticData: { title: 'Connect a device' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'user_code'),
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./device-login/device-page.tsx'), 'DevicePage'),
})

/** Opened by apps, with their request as the query. Requires a session; sign-in returns to the same request. */
const authorize = createRoute({
  getParentRoute: () => root,
  path: 'authorize',
  staticData: { title: 'Connect an app' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'asked'),
  beforeLoad: async (args) => {
    const { packQuery, unpackQuery } = await import('../mcp/authorize/request-query.ts')
    if (unpackQuery(args.search.asked) === undefined && location.search !== '')
      throw redirect({ to: '/authorize', search: { asked: packQuery(location.search) }, replace: true })
    await requireSession(args)
  },
  component: lazyRouteComponent(() => import('../mcp/authorize/authorize-page.tsx'), 'AuthorizePage'),
})

export const authRoutes = [
  signIn,
  signInLink,
  resetPassword,
  verifyEmail,
  changeEmail,
  signUp,
  invite,
  join,
  shareLink,
  confirmJoin,
  share,
  publicLink,
  publicFile,
  device,
  authorize,
  setup,
] as const
