import type { Page } from 'playwright-core'
import { PASSWORD } from '../../server/testing/factories/factories.ts'

export async function signOut(page: Page) {
  // The settings have no account menu.
  const back = page.getByRole('link', { name: 'Back to app' })
  if (await back.isVisible()) await back.click()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
