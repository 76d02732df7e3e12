import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOAuthApp, createClaims, type OAuthApp } from '../../server/testing/clients/oauth-flow.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { enrolTotp } from '../../server/testing/fakes/authenticator-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('sign-in with a provider', () => {
  let oauth: OAuthApp
  const e2e = startE2e({
    build: async () => {
      oauth = await buildOAuthApp()
      oauth.idp.requireConsent()
      return oauth.app
    },
    otherOrigins: () => [oauth.idp.url],
  })
  let ada: Person
  afterAll(() => oauth?.idp.close())
  beforeEach(async () => {
    await e2e.app.sql`delete from rate_limits`
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
    await e2e.app.sql`update users set email_verified_at = now() where id = ${ada.id}`
    oauth.idp.signInAs(createClaims(ada.email))
  })

  async function openProvider(path: string): Promise<Page> {
    const page = await e2e.visit(path)
    await page.getByRole('link', { name: 'Continue with Our directory' }).click()
    await page.getByRole('heading', { name: 'Directory' }).waitFor()
    expect(new URL(page.url()).origin).toBe(oauth.idp.url)
    return page
  }
  const pathOf = (page: Page) => page.url().replace(e2e.app.url, '')

  test('returns to the requested page with a session', async () => {
    const page = await openProvider('/feedback')
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    expect(pathOf(page)).toBe('/feedback')
    await page.goto('/settings/security')
    await page.getByRole('list', { name: 'Connected accounts' }).getByText('Our directory').waitFor()
    await page.getByText('No password').waitFor()
  })

  test("is disconnected after typing the provider's name", async () => {
    await e2e.app.sql`
      insert into identities (provider, subject, id, user_id, email, created_at)
      values ('oidc', ${ada.id}, ${ada.id}, ${ada.id}, ${ada.email}, now())`
    const page = await e2e.visit('/settings/security', { as: ada })
    await page.getByRole('button', { name: 'Disconnect Our directory' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Disconnect Our directory' })
    await confirmation.getByText(`You won’t be able to sign in with Our directory as ${ada.email}`).waitFor()
    await confirmation.getByLabel('Type “Our directory” to confirm').fill('Our directory')
    await confirmation.getByRole('button', { name: 'Disconnect account' }).click()
    await page.getByText('Disconnected Our directory').waitFor()
    await page.getByRole('list', { name: 'Connected accounts' }).waitFor({ state: 'detached' })
  })

  test('reports a canceled sign-in and offers the other methods', async () => {
    const page = await openProvider('/sign-in')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('Sign-in was canceled or denied by the provider.').waitFor()
    expect(await page.content()).not.toContain('secret words of the provider')
    await page.getByLabel('Email').waitFor()
  })

  test('asks an unknown user to request an invitation', async () => {
    oauth.idp.signInAs(createClaims('stranger@example.com'))
    const page = await openProvider('/sign-in')
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('alert').getByText('new accounts need an invitation').waitFor()
  })

  test('requires an authenticator app code', async () => {
    const { nextCode } = await enrolTotp(e2e.app, ada)
    const page = await openProvider('/feedback')
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.getByLabel('Code').fill(nextCode())
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    expect(pathOf(page)).toBe('/feedback')
  })
})
