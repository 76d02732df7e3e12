import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCookieClient } from '../../../../testing/clients/cookie-client.ts'
import { GITHUB_CLIENT, startGitHub } from '../../../../testing/fakes/github.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let github: Awaited<ReturnType<typeof startGitHub>>
let app: TestApp
beforeAll(async () => {
  github = await startGitHub()
  app = await buildTestApp({ env: environment() })
})
beforeEach(() => github.failWith(null))
afterAll(async () => {
  await app.close()
  await github.close()
})

const environment = () => ({
  ATRIUM_GITHUB_URL: github.url,
  ATRIUM_GITHUB_CLIENT_ID: GITHUB_CLIENT.id,
  ATRIUM_GITHUB_CLIENT_SECRET: GITHUB_CLIENT.secret,
})

let lastId = 583_231
const personOf = (...emails: [email: string, primary: boolean, verified: boolean][]) => ({
  user: { id: lastId++, login: 'ada', name: null },
  emails: emails.map(([email, primary, verified]) => ({ email, primary, verified })),
})

async function signIn(alter: (url: URL) => void = () => {}, { url } = app) {
  const browser = createCookieClient()
  const authorization = new URL((await browser.visit(`${url}/api/v1/auth/oauth/github/start`)).redirectUrl!)
  alter(authorization)
  const callback = await browser.followTo(`${url}/api/v1/auth/oauth/github/callback`, authorization)
  const { location } = await browser.visit(callback)
  return { browser, location }
}

const createUser = async () => app.person(await app.organization(), { verified: true })

test('GitHub sign-in uses the primary email address and recognizes the account by id', async () => {
  const [ada, bob] = [await createUser(), await createUser()]
  const person = personOf([bob.email, false, true], [ada.email, true, true])
  github.signInAs(person)
  for (let time = 0; time < 2; time++) {
    const { browser, location } = await signIn()
    expect(location).toBe('/')
    expect((await app.as(browser.headersAt(app.url)).accounts.session()).user.id).toBe(ada.id)
  }
  expect(await app.sql`select provider, subject from identities where user_id = ${ada.id}`).toEqual([
    { provider: 'github', subject: `${github.url} ${person.user.id}` },
  ])
})

test('GitHub sign-in requests only the profile and email scopes', async () => {
  const { redirectUrl } = await createCookieClient().visit(`${app.url}/api/v1/auth/oauth/github/start`)
  expect(Object.fromEntries(new URL(redirectUrl!).searchParams)).toMatchObject({
    client_id: GITHUB_CLIENT.id,
    redirect_uri: `${app.url}/api/v1/auth/oauth/github/callback`,
    scope: 'read:user user:email',
    code_challenge_method: 'S256',
  })
})

test('GitHub sign-in refuses unverified and secondary email addresses', async () => {
  const ada = await createUser()
  github.signInAs(personOf([ada.email, true, false]))
  expect((await signIn()).location).toBe('/sign-in?error=unverified_address')
  github.signInAs(personOf([ada.email, false, true], ['other@example.org', true, true]))
  expect((await signIn()).location).toBe('/sign-in?error=signup_closed')
  github.signInAs(personOf())
  expect((await signIn()).location).toBe('/sign-in?error=unverified_address')
})

test('GitHub sign-in redirects with access_denied if the user declines', async () => {
  github.deny()
  expect((await signIn()).location).toBe('/sign-in?error=access_denied')
})

test("GitHub sign-in is refused if GitHub fails or the code doesn't match", async () => {
  const ada = await createUser()
  github.signInAs(personOf([ada.email, true, true]))
  for (const status of [401, 403, 500, 302]) {
    github.failWith(status)
    expect((await signIn()).location).toBe('/sign-in?error=provider_error')
  }
  github.failWith(null)
  const { browser, location } = await signIn((url) => url.searchParams.set('code_challenge', 'tampered'))
  expect(location).toBe('/sign-in?error=provider_error')
  expect(browser.cookieAt(app.url, 'atrium_session')).toBeUndefined()
})

test('GitHub sign-in refuses sign-up before the server has an owner, even if sign-up is open', async () => {
  const empty = await buildTestApp({ env: { ...environment(), ATRIUM_SIGNUP: 'open' } })
  github.signInAs(personOf(['first@example.com', true, true]))
  expect((await signIn(undefined, empty)).location).toBe('/sign-in?error=signup_closed')
  expect(await empty.as({}).accounts.setupState()).toEqual({ needed: true })
  await empty.close()
})

test('GitHub sign-in sets the flow cookie with the __Host- prefix on https', async () => {
  const secure = await buildTestApp({
    env: { ...environment(), ATRIUM_PUBLIC_URL: 'https://atrium.example' },
  })
  const response = await secure.request('GET', '/api/v1/auth/oauth/github/start')
  expect(response.headers.get('set-cookie')).toMatch(
    /^__Host-atrium_flow=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const { searchParams } = new URL(response.headers.get('location')!)
  expect(searchParams.get('redirect_uri')).toBe('https://atrium.example/api/v1/auth/oauth/github/callback')
  await secure.close()
})
