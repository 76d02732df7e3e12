import { z } from 'zod'
import { anonymous, attemptsPerIp, endpoint } from '../endpoint.ts'
import { NextPath, text } from '../fields.ts'

const byProvider = z.object({ provider: text(1, 40).meta({ examples: ['google'] }) })

export const oauth = {
  providers: endpoint({
    method: 'GET',
    path: '/api/v1/auth/oauth',
    summary: 'List sign-in methods',
    access: anonymous(),
    output: z.object({
      items: z
        .array(
          z
            .object({ id: z.string(), name: z.string() })
            .meta({ examples: [{ id: 'google', name: 'Google' }] }),
        )
        .describe('OAuth providers'),
      signup: z.enum(['invite', 'open']).describe('`open` if anyone can create an account'),
      mail: z.boolean().describe('Whether the server can send email. If not, no emailed link is available'),
      publicUrl: z
        .boolean()
        .describe('Whether `ATRIUM_PUBLIC_URL` is set. If not, links in emails point to the local URL'),
    }),
  }),
  start: endpoint({
    method: 'GET',
    path: '/api/v1/auth/oauth/:provider/start',
    summary: 'Start an OAuth sign-in',
    description:
      'Redirects the browser to the provider, or to the sign-in page if the provider is unreachable.',
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
    summary: 'Complete an OAuth sign-in',
    description:
      'The provider’s redirect URI. Signs in the browser that started the flow and redirects it to `next`. On failure, redirects to `/sign-in?error=` with `access_denied`, `expired`, `unverified_address`, `signup_closed`, `no_organization` or `provider_error`. If the account has a second factor, redirects to `/sign-in#second-factor=` with the one-time token (`ticket`) for `/auth/sign-in/second-factor`.',
    access: anonymous(),
    params: byProvider,
    query: z.looseObject({ state: z.unknown().optional() }).describe('Parameters added by the provider'),
    output: z.null(),
    redirects: true,
    status: 302,
    limit: attemptsPerIp('oauth-callback'),
  }),
}
