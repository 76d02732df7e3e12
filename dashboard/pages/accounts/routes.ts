import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { publicApi } from '../../api/client.ts'
import { requireSession, root } from '../../frame/root-route.tsx'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { nextPath } from './sign-in/use-sign-in.ts'

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  staticData: { title: t`Sign in` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'next', 'error'),
  beforeLoad: async ({ search }) => {
    // Bypasses the cache, which may still contain a session that just ended.
    const session = await publicApi.accounts.session().catch(() => null)
    if (session) throw redirect({ href: nextPath(search.next) })
  },
  component: SignInPage,
})

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  staticData: { title: t`Set up` },
  component: lazyRouteComponent(() => import('./setup/setup-page.tsx'), 'SetupPage'),
})

const signInLink = createRoute({
  getParentRoute: () => root,
  path: 'sign-in/link',
  staticData: { title: t`Sign in` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'next'),
  component: lazyRouteComponent(() => import('./sign-in/magic-link-page.tsx'), 'MagicLinkPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  staticData: { title: t`Reset your password` },
  component: lazyRouteComponent(
    () => import('./reset-password/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: 'verify-email',
  staticData: { title: t`Verify your email` },
  component: lazyRouteComponent(() => import('./verify-email/email-link-pages.tsx'), 'VerifyEmailPage'),
})

const changeEmail = createRoute({
  getParentRoute: () => root,
  path: 'change-email',
  staticData: { title: t`Change your email` },
  component: lazyRouteComponent(() => import('./verify-email/email-link-pages.tsx'), 'ChangeEmailPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: 'sign-up',
  staticData: { title: t`Create an account` },
  component: lazyRouteComponent(() => import('./sign-up/sign-up-page.tsx'), 'SignUpPage'),
})

const device = createRoute({
  getParentRoute: () => root,
  path: 'device',
  staticData: { title: t`Connect a device` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'user_code'),
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./device-login/device-page.tsx'), 'DevicePage'),
})

export const signInRoutes = [
  signIn,
  signInLink,
  resetPassword,
  verifyEmail,
  changeEmail,
  signUp,
  device,
  setup,
] as const

const account = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  staticData: { title: t`Profile` },
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: 'security',
  staticData: { title: t`Security` },
  component: lazyRouteComponent(() => import('./security/security-page.tsx'), 'SecurityPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: 'api-keys',
  staticData: { title: t`API keys` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})

interface NewKeySearch {
  access?: 'read' | 'write'
  use?: 'mcp'
  days?: string
}

const newApiKey = createRoute({
  getParentRoute: () => apiKeys,
  path: 'new',
  staticData: { title: t`New API key` },
  // Preselects access and days until expiry (links from `atrium keys create`), or the MCP scopes.
  validateSearch: ({ access, use, ...search }: Record<string, unknown>): NewKeySearch => ({
    ...(access === 'read' || access === 'write' ? { access } : {}),
    ...(use === 'mcp' ? { use } : {}),
    ...textParams(search, 'days'),
  }),
  component: lazyRouteComponent(() => import('./api-keys/new-key-dialog.tsx'), 'NewKeyDialog'),
})

export const accountSettings = [account, security, apiKeys.addChildren([newApiKey])] as const
