import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'

export const usageRoute = createRoute({
  getParentRoute: () => settings,
  path: 'organization/usage',
  staticData: { title: t`Usage and budgets` },
  // `budget` opens a budget form: `new`, or its scope, id and period.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'range', 'by', 'project', 'agent', 'budget'),
  component: lazyRouteComponent(() => import('./usage/usage-page.tsx'), 'UsagePage'),
})

const payments = createRoute({
  getParentRoute: () => settings,
  path: 'organization/payments',
  staticData: { title: t`Payments` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'show'),
  component: lazyRouteComponent(() => import('./payments/payments-page.tsx'), 'PaymentsPage'),
})

const payment = createRoute({
  getParentRoute: () => payments,
  path: '$paymentId',
  staticData: { title: t`Machine payment` },
  component: lazyRouteComponent(() => import('./payments/payment-panel.tsx'), 'PaymentPanel'),
})

const mandates = createRoute({
  getParentRoute: () => settings,
  path: 'organization/payments/mandates',
  staticData: { title: t`Mandates` },
  component: lazyRouteComponent(() => import('./payments/mandates-page.tsx'), 'MandatesPage'),
})

const newMandate = createRoute({
  getParentRoute: () => mandates,
  path: 'new',
  staticData: { title: t`New mandate` },
  component: lazyRouteComponent(() => import('./payments/mandate-dialog.tsx'), 'MandateDialog'),
})

const provider = createRoute({
  getParentRoute: () => settings,
  path: 'organization/payments/provider',
  staticData: { title: t`Payment provider` },
  component: lazyRouteComponent(() => import('./payments/provider-page.tsx'), 'ProviderPage'),
})

export const billingSettings = [
  usageRoute,
  payments.addChildren([payment]),
  mandates.addChildren([newMandate]),
  provider,
] as const
