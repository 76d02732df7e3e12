/** The messages for the `error` parameter of the OAuth callback. */
const MESSAGES: Record<string, string> = {
  access_denied: 'Sign-in was canceled or denied by the provider. Try again or use another method.',
  expired: 'The sign-in expired or was started in another window. Try again.',
  unverified_address:
    'The provider has not verified your email address. Verify it there first, or use another method.',
  signup_closed:
    'No account has this email address, and new accounts need an invitation. Ask an admin of your organization to invite you.',
  no_organization: 'You are no longer a member of any organization. Ask an admin to invite you again.',
  provider_error: 'The provider did not respond. Try again, or use another method.',
}

export const oauthErrorMessage = (error: string | undefined) =>
  error === undefined ? undefined : (MESSAGES[error] ?? 'Sign-in failed. Try again, or use another method.')
