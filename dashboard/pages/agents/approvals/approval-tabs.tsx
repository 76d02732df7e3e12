import { Link } from '@tanstack/react-router'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

export const ApprovalTabs = () => (
  <>
    <SectionTabs of="inbox" />
    <ViewRow label="Approvals">
      <Link to="/approvals" activeOptions={{ exact: true }} className={VIEW}>
        Open
      </Link>
      <Link to="/approvals/decided" className={VIEW}>
        Decided
      </Link>
      <Link to="/approvals/grants" className={VIEW}>
        Always allowed
      </Link>
    </ViewRow>
  </>
)
