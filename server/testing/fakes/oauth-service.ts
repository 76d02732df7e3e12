import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Behavior {
  expiresIn?: number | undefined
  /** Replaces the requested scopes. */
  scope?: string | undefined
  /** A refresh token is valid once. */
  rotates: boolean
  /** How often a used refresh token is still accepted. */
  reuses: number
  /** `cut`: issues tokens, then drops the connection before responding. */
  fault: 'none' | 'cut' | 'unavailable' | 'invalid_client' | 'redirect'
  apiStatus?: number | undefined
  gate?: Promise<void> | undefined
}

const defaults = (): Behavior => ({ expiresIn: 3600, rotates: true, reuses: 0, fault: 'none' })

export async function startOAuthService() {
  let behavior = defaults()
  const codes = new Map<string, { challenge: string | null; redirectUri: string; account: string }>()
  const accessTokens = new Map<string, string>()
  const refreshTokens = new Map<string, { account: string; uses: number }>()
  const keys = new Set<string>()
  const tokenRequests: Record<string, string>[] = []
  const revocations: string[] = []
  const redirected: string[] = []

  function issue(account: string) {
    const [accessToken, refreshToken] = [`at-${randomUUID()}`, `rt-${randomUUID()}`]
    accessTokens.set(accessToken, account)
    refreshTokens.set(refreshToken, { account, uses: 0 })
    const { expiresIn, scope } = behavior
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'bearer',
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
      ...(scope !== undefined && { scope }),
    }
  }

  function grant(fields: Record<string, string>): object {
    if (fields.grant_type === 'authorization_code') {
      const code = codes.get(fields.code ?? '')
      codes.delete(fields.code ?? '')
      const challenge = createHash('sha256')
        .update(fields.code_verifier ?? '')
        .digest('base64url')
      const isValid = code?.redirectUri === fields.redirect_uri && code?.challenge === challenge
      return isValid ? issue(code!.account) : { error: 'invalid_grant' }
    }
    const token = refreshTokens.get(fields.refresh_token ?? '')
    if (!token || (behavior.rotates && token.uses > behavior.reuses)) return { error: 'invalid_grant' }
    token.uses++
    const { refresh_token: next, ...issued } = issue(token.account)
    return behavior.rotates ? { ...issued, refresh_token: next } : issued
  }

  async function answerToken(fields: Record<string, string>, response: ServerResponse) {
    tokenRequests.push(fields)
    const { fault, gate } = behavior
    await gate
    if (fault === 'unavailable') return respond(response, 503, { error: 'server_error' })
    if (fault === 'invalid_client') return respond(response, 401, { error: 'invalid_client' })
    if (fault === 'redirect') {
      response.writeHead(307, { location: `${url}/elsewhere` }).end()
      return
    }
    const answer = grant(fields)
    if (fault === 'cut') return response.destroy()
    respond(response, 'error' in answer ? 400 : 200, answer)
  }

  const server = createServer(async (request, response) => {
    const fields = await fieldsOf(request)
    if (request.url?.startsWith('/elsewhere')) redirected.push(JSON.stringify(fields))
    if (fields.grant_type) return answerToken(fields, response)
    if (fields.token ?? fields.access_token) {
      revocations.push((fields.token ?? fields.access_token)!)
      return respond(response, 200, {})
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (behavior.apiStatus) return respond(response, behavior.apiStatus, { message: 'not now' })
    if (keys.has(token)) return respond(response, 200, { data: [{ name: 'example.com' }] })
    const account = accessTokens.get(token)
    if (!account) return respond(response, 401, { message: 'Bad credentials' })
    respond(response, 200, { id: `id-of-${account}`, login: account, email: `${account}@example.com` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    keys,
    tokenRequests,
    revocations,
    redirected,
    tokens: () => [...accessTokens.keys(), ...refreshTokens.keys()],
    refreshes: () => tokenRequests.filter((fields) => fields.grant_type === 'refresh_token').length,
    behave(change: Partial<Behavior>) {
      behavior = { ...defaults(), ...change }
    },
    /** As when a user removes the app at the provider. */
    revokeAccess: () => accessTokens.clear(),
    revokeAll() {
      accessTokens.clear()
      refreshTokens.clear()
    },
    approve(authorizationUrl: string, account = 'ada'): URL {
      const parameters = new URL(authorizationUrl).searchParams
      const code = `code-${randomUUID()}`
      const redirectUri = parameters.get('redirect_uri')!
      codes.set(code, { challenge: parameters.get('code_challenge'), redirectUri, account })
      const callback = new URL(redirectUri)
      callback.searchParams.set('code', code)
      callback.searchParams.set('state', parameters.get('state')!)
      return callback
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function fieldsOf(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  if (request.headers['content-type']?.includes('json')) return text ? JSON.parse(text) : {}
  return Object.fromEntries(new URLSearchParams(text))
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
