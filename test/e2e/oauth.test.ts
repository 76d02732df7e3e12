import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildOAuthApp, claimsOf, type OAuthApp } from '../../server/testing/clients/oauth-flow.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { enrolTotp } from '../../server/testing/fakes/authenticator-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('signing in through a provider', () => {
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
    oauth.idp.signInAs(claimsOf(ada.email))
  })

  async function goThere(path: string): Promise<Page> {
    const page = await e2e.visit(path)
    await page.getByRole('link', { name: 'Continue with Our directory' }).click()
    await page.getByRole('heading', { name: 'Directory' }).waitFor()
    expect(new URL(page.url()).origin).toBe(oauth.idp.url)
    return page
  }
  const pathOf = (page: Page) => page.url().replace(e2e.app.url, '')

  test('leads there and back, signed in, to the page that was asked for', async () => {
    const page = await goThere('/feedback')
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    expect(pathOf(page)).toBe('/feedback')
    await page.goto('/settings/security')
    await page.getByRole('list', { name: 'Linked accounts' }).getByText('Our directory').waitFor()
    await page.getByText('No password is set').waitFor()
  })

  test('can be given up again, by typing its name', async () => {
    await e2e.app.sql`
      insert into identities (provider, subject, id, user_id, email, created_at)
      values ('oidc', ${ada.id}, ${ada.id}, ${ada.id}, ${ada.email}, now())`
    const page = await e2e.visit('/settings/security', { as: ada })
    await page.getByRole('button', { name: 'Unlink Our directory' }).click()
    const question = page.getByRole('dialog', { name: 'Unlink Our directory' })
    await question.getByText(`as ${ada.email} no longer`).waitFor()
    await question.getByLabel('Type “Our directory” to confirm').fill('Our directory')
    await question.getByRole('button', { name: 'Unlink account' }).click()
    await page.getByText('Unlinked Our directory').waitFor()
    await page.getByRole('list', { name: 'Linked accounts' }).waitFor({ state: 'detached' })
  })

  test('that was stopped there says so, and the other ways are still open', async () => {
    const page = await goThere('/sign-in')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page
      .getByRole('alert')
      .getByText('The provider did not let you in, or you stopped there.')
      .waitFor()
    expect(await page.content()).not.toContain('secret words of the provider')
    await page.getByLabel('Email').waitFor()
  })

  test('as somebody whom nobody here knows says whom to ask', async () => {
    oauth.idp.signInAs(claimsOf('stranger@example.com'))
    const page = await goThere('/sign-in')
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('alert').getByText('takes new people by invitation only').waitFor()
  })

  test('still asks for the code of an authenticator app', async () => {
    const { nextCode } = await enrolTotp(e2e.app, ada)
    const page = await goThere('/feedback')
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.getByLabel('Code').fill(nextCode())
    await page.getByRole('heading', { name: /^Feedback/ }).waitFor()
    expect(pathOf(page)).toBe('/feedback')
  })
})
