/** For URLs of the operator. Redirects are not followed: they would send the key to another server. */
export const trustedFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })
