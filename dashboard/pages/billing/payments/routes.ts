import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

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
  staticData: { title: 'Machine payments' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'show'),
  component: lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
})

const payment = createRoute({
  getParentRoute: () => payments,
  path: '$paymentId',
  staticData: { title: 'Machine payment' },
  component: lazyRouteComponent(() => import('./payment-panel.tsx'), 'PaymentPanel'),
})

const mandates = createRoute({
  getParentRoute: () => billing,
  path: 'mandates',
  staticData: { title: 'Mandates' },
  component: lazyRouteComponent(() => import('./mandates-page.tsx'), 'MandatesPage'),
})

const newMandate = createRoute({
  getParentRoute: () => mandates,
  path: 'new',
  staticData: { title: 'New mandate' },
  component: lazyRouteComponent(() => import('./mandate-dialog.tsx'), 'MandateDialog'),
})

const provider = createRoute({
  getParentRoute: () => billing,
  path: 'provider',
  staticData: { title: 'Payment provider' },
  component: lazyRouteComponent(() => import('./provider-page.tsx'), 'ProviderPage'),
})

export const billingRoutes = billing.addChildren([
  payments.addChildren([payment]),
  mandates.addChildren([newMandate]),
  provider,
])
