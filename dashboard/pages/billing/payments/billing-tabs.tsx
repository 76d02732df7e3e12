import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'

export const BillingTabs = () => (
  <TabRow label="Payments">
    <Link
      to="/settings/organization/payments"
      activeOptions={{ exact: true, includeSearch: false }}
      className={TAB}
    >
      Payments
    </Link>
    <Link to="/settings/organization/payments/mandates" className={TAB}>
      Mandates
    </Link>
    <Link to="/settings/organization/payments/provider" className={TAB}>
      Provider
    </Link>
  </TabRow>
)
