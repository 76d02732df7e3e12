import { describe, expect, test } from 'vitest'
import { createPayer } from '../../server/testing/clients/payer.ts'
import { startStripe } from '../../server/testing/fakes/stripe.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Billing', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  const e2e = startE2e({
    build: async () => {
      stripe = await startStripe()
      const env = { ATRIUM_STRIPE_URL: stripe.url, ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1' }
      const app = await buildTestApp({ env })
      return { ...app, close: async () => void (await Promise.all([app.close(), stripe.close()])) }
    },
  })

  test('an admin connects Stripe, sets and revokes a mandate, and approves and refunds payments', async () => {
    const payer = await createPayer(e2e.app)
    const page = await e2e.visit('/settings/organization/payments', {
      as: payer.owner,
      expectedStatuses: [400],
    })
    await page.getByText('No machine payments yet').waitFor()
    await page.getByRole('link', { name: 'Provider' }).click()
    await page.getByRole('button', { name: 'Connect Stripe' }).click()
    await page.getByLabel('API key').fill('rk_test_51Pgc1k2eZvKYlo2C')
    await page.getByLabel('Customer').fill('cus_Other')
    await page.getByLabel('Saved payment method').fill('pm_card_visa')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('is not the customer the payment method is attached to').waitFor()
    await page.getByLabel('Customer').fill('cus_Test1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Test mode').waitFor()
    await inspectPage(page, 'billing-provider')

    await page.getByRole('link', { name: 'Mandates' }).click()
    await page.getByRole('link', { name: 'New mandate' }).first().click()
    await page.getByLabel('Who can pay').selectOption('key')
    await page.getByLabel('API key', { exact: true }).selectOption('test key')
    await page.getByLabel('Per payment').fill('20')
    await page.getByRole('button', { name: 'Create mandate' }).click()
    await page.getByText('is required without a daily limit').waitFor()
    await inspectPage(page, 'billing-mandate-new')
    await page.getByLabel('Per day').fill('30')
    await page.getByRole('button', { name: 'Create mandate' }).click()
    await page.getByText('$0.00 of $30.00').waitFor()

    const paid = await payer.pay({ amount: '12.50', reason: 'Weather data', payee: { name: 'Data Inc.' } })
    const pending = await payer.pay({
      amount: '25.00',
      reason: 'Maps of Europe',
      payee: { name: 'Maps Ltd.' },
    })
    expect([paid.status, pending.status]).toEqual(['succeeded', 'requires_approval'])
    await page.reload()
    await page.getByText('$12.50 of $30.00').waitFor()
    await inspectPage(page, 'billing-mandates')
    await page.getByRole('button', { name: 'Revoke mandate for test key' }).click()
    await page.getByRole('button', { name: 'Revoke mandate', exact: true }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()

    await payer.pay({ amount: '40.00', reason: 'Satellite images', payee: { name: 'Orbit' } })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/approvals')
    const card = page.getByRole('article', { name: 'Pay $40.00: Satellite images' })
    await card.getByText(/exceeds the mandate’s|No mandate/).waitFor()
    await page.getByRole('link', { name: 'Approvals 2 open' }).waitFor()
    await inspectPage(page, 'approvals-payments')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('d')
    await page.keyboard.press('Enter')
    await page.getByText('Payment denied').waitFor()
    await card.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Approvals 1 open' }).waitFor()
    await page.goto('/settings/organization/payments')

    await page.getByRole('button', { name: '1 payment is waiting for approval' }).click()
    await page.getByRole('link', { name: 'Maps of Europe' }).click()
    const panel = page.getByRole('complementary', { name: 'Payment' })
    await panel
      .getByText(/exceeds the mandate’s limit per payment, \$20\.00/)
      .first()
      .waitFor()
    await inspectPage(page, 'billing-approval')
    await panel.getByLabel('Note').fill('Agreed')
    await panel.getByRole('button', { name: 'Approve $25.00' }).click()
    await panel.getByText('Succeeded', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel(/to confirm/).fill('refund')
    await page.getByRole('button', { name: 'Refund $25.00' }).click()
    await panel.getByText('Refunded', { exact: true }).waitFor()
    await panel.getByText('Stripe returned the amount').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Status').selectOption('')
    await page.getByRole('row', { name: /Weather data/ }).waitFor()
    await inspectPage(page, 'billing-payments')
    expect([stripe.intents.length, stripe.refunds.length]).toEqual([2, 1])
  })
})
