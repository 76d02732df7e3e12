import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'

export function OrganizationTabs() {
  return (
    <TabRow label="Organizations">
      <Link to="/operate/organizations" className={TAB} activeOptions={{ exact: true, includeSearch: false }}>
        Organizations
      </Link>
      <Link to="/operate/organizations/erasures" className={TAB}>
        Erasures
      </Link>
    </TabRow>
  )
}
