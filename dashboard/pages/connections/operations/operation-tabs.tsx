import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'

export const OperationTabs = () => (
  <TabRow label="Provider events">
    <Link to="/operate/connectors" activeOptions={{ exact: true }} className={TAB}>
      Endpoints
    </Link>
    <Link
      to="/operate/connectors/events"
      search={{}}
      activeOptions={{ includeSearch: false }}
      className={TAB}
    >
      Events
    </Link>
  </TabRow>
)
