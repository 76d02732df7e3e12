import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { textParams } from '../../state/text-params.ts'

export const usageRoute = createRoute({
  getParentRoute: () => app,
  path: 'usage',
  staticData: { title: t`Usage` },
  // `budget` opens a budget form: `new`, or its scope, id and period.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'range', 'by', 'project', 'agent', 'budget'),
  component: lazyRouteComponent(() => import('./usage/usage-page.tsx'), 'UsagePage'),
})

const billing = createRoute({
  getParentRoute: () => app,
  path: 'billing',
  beforeLoad: ({ location }) => {
    if (/^\/billing\/?$/.test(location.pathname)) throw redirect({ to: '/billing/payments' })
  },
})

const payments = createRoute({
  getParentRoute: () => billing,
  path: 'payments',
  staticData: { title: t`Machine payments` },
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
  getParentRoute: () => billing,
  path: 'mandates',
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
  getParentRoute: () => billing,
  path: 'provider',
  staticData: { title: t`Payment provider` },
  component: lazyRouteComponent(() => import('./payments/provider-page.tsx'), 'ProviderPage'),
})

export const billingRoutes = billing.addChildren([
  payments.addChildren([payment]),
  mandates.addChildren([newMandate]),
  provider,
])
