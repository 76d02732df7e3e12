/** What a provider's way back says in `?error=`. */
const MESSAGES: Record<string, string> = {
  access_denied:
    'The provider did not let you in, or you stopped there. Nothing was changed; try again or choose another way.',
  expired: 'That took too long, or it was started in another window. Start again here.',
  unverified_address:
    'The provider has not verified your email address, so it proves nothing here. Verify it there first, or sign in another way.',
  signup_closed:
    'Nobody here has that address, and this server takes new people by invitation only. Ask an admin of your organization to invite you.',
  no_organization: 'Your account belongs to no organization any more. Ask an admin to invite you again.',
  provider_error: 'The provider failed to answer. Try again in a moment, or choose another way.',
}

export const oauthErrorMessage = (error: string | undefined) =>
  error === undefined
    ? undefined
    : (MESSAGES[error] ?? 'Signing in did not work. Try again, or choose another way.')
