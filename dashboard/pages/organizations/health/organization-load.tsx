import { Link } from '@tanstack/react-router'
import { formatDuration } from '../../../components/amounts.ts'
import { Block } from '../../../components/layout/block.tsx'
import { Name } from '../../../components/name.tsx'
import { Figures } from './figures.tsx'
import type { Health } from './health-query.ts'

interface OrganizationLoadProps {
  organizations: Health['organizations']
  minutes: number
}

/** The organizations with the most load in the last minutes. */
export const OrganizationLoad = ({ organizations, minutes }: OrganizationLoadProps) => (
  <Block title="Load by organization" note={`Requests of the last ${minutes} minutes`}>
    {organizations.length === 0 ? (
      <p className="py-12 text-13 text-neutral-11">No requests and no pending work.</p>
    ) : (
      <Figures
        label="Load by organization"
        rows={organizations}
        rowKey={({ id }) => id}
        columns={[
          {
            header: 'Organization',
            wide: true,
            cell: ({ id, name }) => (
              <Link
                to="/operate/organizations/$id"
                params={{ id }}
                className="block truncate underline-offset-4 hover:underline"
              >
                <Name>{name}</Name>
              </Link>
            ),
          },
          { header: 'Requests', cell: ({ requests }) => requests.toLocaleString('en') },
          {
            header: 'Request time',
            cell: ({ seconds }) => formatDuration(seconds * 1000),
            visibleFrom: 'medium',
          },
          { header: 'Runs', cell: ({ runs }) => runs },
          { header: 'Deliveries', cell: ({ deliveries }) => deliveries, visibleFrom: 'medium' },
          { header: 'Jobs', cell: ({ jobs }) => jobs },
        ]}
      />
    )}
  </Block>
)
