import { z } from 'zod'
import { anonymous, attemptsPerIp, endpoint } from '../endpoint.ts'
import { NextPath, text } from '../fields.ts'

const byProvider = z.object({ provider: text(1, 40).meta({ examples: ['google'] }) })

export const oauth = {
  providers: endpoint({
    method: 'GET',
    path: '/api/v1/auth/oauth',
    summary: 'List the ways to sign in that this server offers',
    access: anonymous(),
    output: z.object({
      items: z
        .array(
          z
            .object({ id: z.string(), name: z.string() })
            .meta({ examples: [{ id: 'google', name: 'Google' }] }),
        )
        .describe('OAuth providers'),
      signup: z.enum(['invite', 'open']).describe('Whether anybody may create an account'),
    }),
  }),
  start: endpoint({
    method: 'GET',
    path: '/api/v1/auth/oauth/:provider/start',
    summary: 'Go to an OAuth provider',
    description:
      'Redirects a browser to the provider, or to the sign-in page if the provider cannot be reached.',
    access: anonymous(),
    params: byProvider,
    query: z.object({ next: NextPath.optional() }),
    output: z.null(),
    redirects: true,
    status: 302,
    limit: attemptsPerIp('oauth-start'),
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/v1/auth/oauth/:provider/callback',
    summary: 'Come back from an OAuth provider',
    description:
      'Signs the browser that began in and redirects it to `next`. Otherwise redirects it to `/sign-in?error=`, followed by `access_denied`, `expired`, `unverified_address`, `signup_closed`, `no_organization` or `provider_error`; or, if a second factor is enrolled, to `/sign-in#second-factor=`, followed by a ticket for `/auth/sign-in/second-factor`.',
    access: anonymous(),
    params: byProvider,
    query: z.looseObject({ state: z.unknown().optional() }).describe('What the provider adds'),
    output: z.null(),
    redirects: true,
    status: 302,
    limit: attemptsPerIp('oauth-callback'),
  }),
}
