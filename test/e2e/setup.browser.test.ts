import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createSetupToken } from '../../server/features/accounts/accounts/accounts.ts'
import { PASSWORD } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('setup', () => {
  const e2e = startE2e({ build: buildTestApp })

  test('explains where to find the setup link', async () => {
    const page = await e2e.visit('/')
    await page.getByRole('heading', { name: 'This server has no owner yet' }).waitFor()
    await inspectPage(page, 'sign-in-no-owner')
    await page.goto('/setup')
    await page.getByRole('heading', { name: 'This setup link is incomplete' }).waitFor()
  })

  test('reports an expired link and how to get a new one', async () => {
    const page = await e2e.visit('/setup#not-a-link-of-this-server')
    await page.getByLabel('Your name').waitFor()
    await inspectPage(page, 'setup')
    await fill(page, 'ada@example.com')
    await page.getByRole('alert').getByText('Restart the server to get a new link').waitFor()
  })

  test('creates the owner and signs in; the link works once', async () => {
    const token = await createSetupToken(e2e.app.app.system())
    const page = await e2e.visit(`/setup#${token}`, { expectedStatuses: [400] })
    const latePage = await e2e.visit(`/setup#${token}`)

    await fill(page, 'ada@localhost')
    await page.getByText('Enter an email address, such as ada@example.com.').waitFor()
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
    await fill(page, 'ada@example.com')
    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    await page.getByRole('button', { name: 'Organization Analytical Engines' }).waitFor()
    expect(page.url()).toBe(`${e2e.app.url}/`)

    await fill(latePage, 'eve@example.com')
    await latePage.getByRole('heading', { name: 'This server is already set up' }).waitFor()
    expect(await latePage.getByText(/restart/i).count()).toBe(0)

    const newPage = await e2e.visit(`/setup#${token}`)
    await newPage.getByRole('heading', { name: 'This server is already set up' }).waitFor()
    await newPage.getByRole('link', { name: 'Sign in' }).click()
    await newPage.getByRole('heading', { name: 'Sign in' }).waitFor()
    await newPage.getByLabel('Email').fill('ada@example.com')
    await newPage.getByLabel('Password').fill(PASSWORD)
    await newPage.getByRole('button', { name: 'Sign in', exact: true }).click()
    await newPage.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
  })
})

async function fill(page: Page, email: string) {
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Organization').fill('Analytical Engines')
  await page.getByRole('button', { name: 'Create owner account' }).click()
}
