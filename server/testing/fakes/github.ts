import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const GITHUB_CLIENT = { id: 'github-client', secret: 'github-secret' }

interface GitHubAccount {
  user: { id: number; login: string; name: string | null }
  emails: { email: string; primary: boolean; verified: boolean }[]
}

/** Covers sign-in, under GitHub Enterprise Server paths. */
export async function startGitHub() {
  let account: GitHubAccount | null = null
  let failure: number | null = null
  const codes = new Map<string, { challenge: string; redirectUri: string; account: GitHubAccount }>()
  const tokens = new Map<string, GitHubAccount>()

  const send = (response: ServerResponse, status: number, body: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body))

  const authorize = ({ searchParams }: URL, response: ServerResponse) => {
    const callback = new URL(searchParams.get('redirect_uri')!)
    callback.searchParams.set('state', searchParams.get('state')!)
    if (account && searchParams.get('client_id') === GITHUB_CLIENT.id) {
      const code = randomBytes(10).toString('hex')
      codes.set(code, {
        challenge: searchParams.get('code_challenge')!,
        redirectUri: searchParams.get('redirect_uri')!,
        account,
      })
      callback.searchParams.set('code', code)
    } else callback.searchParams.set('error', 'access_denied')
    response.writeHead(302, { location: callback.href }).end()
  }

  /** GitHub also sends errors with status 200. */
  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request))
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isOurClient =
      form.get('client_id') === GITHUB_CLIENT.id && form.get('client_secret') === GITHUB_CLIENT.secret
    if (
      !grant ||
      !isOurClient ||
      grant.challenge !== challenge ||
      grant.redirectUri !== form.get('redirect_uri')
    ) {
      return send(response, 200, { error: 'bad_verification_code', error_description: 'secret words' })
    }
    const token = `gho_${randomBytes(10).toString('hex')}`
    tokens.set(token, grant.account)
    return send(response, 200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
  }

  const api = (path: string, request: IncomingMessage, response: ServerResponse) => {
    const caller = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '')
    if (failure || !caller) return send(response, failure ?? 401, { message: 'secret words' })
    if (path === '/api/v3/user') return send(response, 200, caller.user)
    return send(response, path === '/api/v3/user/emails' ? 200 : 404, caller.emails)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://github')
    if (url.pathname === '/login/oauth/authorize') authorize(url, response)
    else if (url.pathname === '/login/oauth/access_token') void exchange(request, response)
    else api(url.pathname, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signInAs(next: GitHubAccount) {
      account = next
    },
    deny() {
      account = null
    },
    failWith(status: number | null) {
      failure = status
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
