import type { OAuth } from '../definition/auth.ts'

/** Authorization by Google. Consent is requested each time, because Google returns a refresh token only with it. */
export const googleOAuth = (scopes: readonly string[]): OAuth => ({
  type: 'oauth',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revoke: { url: 'https://oauth2.googleapis.com/revoke', how: 'form', field: 'token' },
  registerUrl: 'https://console.cloud.google.com/auth/clients',
  scopes: { default: scopes },
  params: { authorize: { access_type: 'offline', prompt: 'consent' } },
  selectAccount: { prompt: 'consent select_account' },
  // Refresh tokens expire after 7 days while the app is in testing, and after 6 months without use.
  lifetime: { access: 3600, refresh: 'stays', idleDays: 180 },
})

export const GOOGLE_ERROR_FIELDS = { code: 'error.status', message: 'error.message' } as const
