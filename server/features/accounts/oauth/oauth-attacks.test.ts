import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createVisitor, type Visitor } from '../../../testing/clients/cookie-client.ts'
import { buildOAuthWorld, claimsOf, type OAuthWorld } from '../../../testing/clients/oauth-flow.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import type { TestApp } from '../../../testing/test-app.ts'

let world: OAuthWorld
let app: TestApp
beforeAll(async () => {
  world = await buildOAuthWorld()
  app = world.app
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => world.close())

describe('an attack on the way back', () => {
  const EXPIRED = '/sign-in?error=expired'
  let ada: Person
  beforeEach(async () => {
    ada = await world.somebody()
    world.idp.letIn(claimsOf(ada.email))
  })

  const expectNobody = async (visitor: Visitor) =>
    expect(visitor.cookieAt(app.url, 'atrium_session')).toBeUndefined()

  test('in another browser is refused, and the link is worthless afterwards', async () => {
    const { visitor, callback } = await world.journey()
    const victim = createVisitor()
    expect((await victim.visit(callback)).location).toBe(EXPIRED)
    await expectNobody(victim)
    expect((await visitor.visit(callback)).location).toBe(EXPIRED)
  })

  test('in a browser that is on a way of its own is refused, which it can still finish', async () => {
    const evil = await world.journey()
    const victim = await world.journey()
    expect((await victim.visitor.visit(evil.callback)).location).toBe(EXPIRED)
    expect((await victim.visitor.visit(victim.callback)).location).toBe('/')
  })

  test('with a state that was used is refused, even at the same time', async () => {
    const { visitor, callback } = await world.journey()
    const both = await Promise.all([visitor.visit(callback), visitor.visit(callback)])
    expect(both.map(({ location }) => location).sort()).toEqual(['/', EXPIRED])
    expect((await visitor.visit(callback)).location).toBe(EXPIRED)
  })

  test.each([
    ['none', (url: URL) => url.searchParams.delete('state')],
    ['a made-up one', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['an endless one', (url: URL) => url.searchParams.set('state', 'x'.repeat(5000))],
    ['one with a NUL', (url: URL) => url.searchParams.set('state', '\0')],
    ['two', (url: URL) => url.searchParams.append('state', 'x')],
  ])('with a forged state, %s, is refused', async (_name, forge) => {
    const { visitor, callback } = await world.journey()
    const url = new URL(callback)
    forge(url)
    expect((await visitor.visit(url)).location).toBe(EXPIRED)
    await expectNobody(visitor)
  })

  test('at the callback of another provider is refused', async () => {
    const { visitor, callback } = await world.journey()
    expect((await visitor.visit(callback.replace('/oidc/', '/google/'))).location).toBe(EXPIRED)
  })

  test('after ten minutes is refused', async () => {
    const { visitor, callback } = await world.journey()
    app.clock.advance(601)
    expect((await visitor.visit(callback)).location).toBe(EXPIRED)
  })

  test.each([
    ['another nonce', (url: URL) => url.searchParams.set('nonce', 'tampered'), 'unexpected ID Token "nonce"'],
    [
      'another challenge',
      (url: URL) => url.searchParams.set('code_challenge', 'x'.repeat(43)),
      'invalid_grant',
    ],
  ])('with an answer to %s is refused', async (_name, alter, reason) => {
    const { visitor, callback } = await world.journey({ alter })
    expect((await visitor.visit(callback)).location).toBe('/sign-in?error=provider_error')
    expect(world.reasons().at(-1)!.reason).toContain(reason)
    await expectNobody(visitor)
  })

  test.each([
    ['none', (url: URL) => url.searchParams.delete('code'), 'no authorization code'],
    ['a made-up one', (url: URL) => url.searchParams.set('code', 'guessed'), 'invalid_grant'],
    ['two', (url: URL) => url.searchParams.append('code', 'other'), 'only once'],
  ])('with a forged code, %s, is refused', async (_name, forge, reason) => {
    const { visitor, callback } = await world.journey()
    const url = new URL(callback)
    forge(url)
    expect((await visitor.visit(url)).location).toBe('/sign-in?error=provider_error')
    expect(world.reasons().at(-1)!.reason).toContain(reason)
    await expectNobody(visitor)
  })

  test('with the code of somebody else’s way is refused', async () => {
    const evil = await world.journey()
    const victim = await world.journey()
    const url = new URL(victim.callback)
    url.searchParams.set('code', new URL(evil.callback).searchParams.get('code')!)
    expect((await victim.visitor.visit(url)).location).toBe('/sign-in?error=provider_error')
    await expectNobody(victim.visitor)
  })

  test('as another issuer is refused', async () => {
    const { visitor, callback } = await world.journey()
    const url = new URL(callback)
    url.searchParams.set('iss', 'https://evil.example')
    expect((await visitor.visit(url)).location).toBe('/sign-in?error=provider_error')
  })
})
