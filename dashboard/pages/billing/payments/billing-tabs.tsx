import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'

export const BillingTabs = () => (
  <TabRow label="Billing">
    <Link to="/billing/payments" className={TAB}>
      Payments
    </Link>
    <Link to="/billing/mandates" className={TAB}>
      Mandates
    </Link>
    <Link to="/billing/provider" className={TAB}>
      Provider
    </Link>
  </TabRow>
)
