import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const GITHUB_CLIENT = { id: 'github-client', secret: 'github-secret' }

interface GitHubPerson {
  user: { id: number; login: string; name: string | null }
  emails: { email: string; primary: boolean; verified: boolean }[]
}

/** As much of GitHub as a sign-in needs, under the addresses that a GitHub of one's own has. */
export async function startGitHub() {
  let person: GitHubPerson | null = null
  /** What the API answers with instead. */
  let failure: number | null = null
  const codes = new Map<string, { challenge: string; redirectUri: string; person: GitHubPerson }>()
  const tokens = new Map<string, GitHubPerson>()

  const send = (response: ServerResponse, status: number, body: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body))

  const authorize = ({ searchParams }: URL, response: ServerResponse) => {
    const back = new URL(searchParams.get('redirect_uri')!)
    back.searchParams.set('state', searchParams.get('state')!)
    if (person && searchParams.get('client_id') === GITHUB_CLIENT.id) {
      const code = randomBytes(10).toString('hex')
      codes.set(code, {
        challenge: searchParams.get('code_challenge')!,
        redirectUri: searchParams.get('redirect_uri')!,
        person,
      })
      back.searchParams.set('code', code)
    } else back.searchParams.set('error', 'access_denied')
    response.writeHead(302, { location: back.href }).end()
  }

  /** GitHub answers a refusal with 200, too. */
  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request))
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isOurs =
      form.get('client_id') === GITHUB_CLIENT.id && form.get('client_secret') === GITHUB_CLIENT.secret
    if (
      !given ||
      !isOurs ||
      given.challenge !== challenge ||
      given.redirectUri !== form.get('redirect_uri')
    ) {
      return send(response, 200, { error: 'bad_verification_code', error_description: 'secret words' })
    }
    const token = `gho_${randomBytes(10).toString('hex')}`
    tokens.set(token, given.person)
    return send(response, 200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
  }

  const api = (path: string, request: IncomingMessage, response: ServerResponse) => {
    const known = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '')
    if (failure || !known) return send(response, failure ?? 401, { message: 'secret words' })
    if (path === '/api/v3/user') return send(response, 200, known.user)
    return send(response, path === '/api/v3/user/emails' ? 200 : 404, known.emails)
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
    letIn(next: GitHubPerson) {
      person = next
    },
    deny() {
      person = null
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
