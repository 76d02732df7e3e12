import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'

export const ApprovalTabs = () => (
  <TabRow label="Approvals">
    <Link to="/approvals" activeOptions={{ exact: true }} className={TAB}>
      Open
    </Link>
    <Link to="/approvals/replies" className={TAB}>
      Replies
    </Link>
    <Link to="/approvals/decided" className={TAB}>
      Decided
    </Link>
    <Link to="/approvals/grants" className={TAB}>
      Always allowed
    </Link>
  </TabRow>
)
