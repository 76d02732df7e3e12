import { Link } from '@tanstack/react-router'
import { Block } from '../../../components/layout/block.tsx'
import { Figures } from './figures.tsx'
import type { Health } from './health-query.ts'
import { formatCount, formatLag, formatShare, LANES, OUTCOMES, QUEUES } from './labels.ts'

export const Lanes = ({ lanes }: { lanes: Health['lanes'] }) => (
  <Block title="Jobs by lane" headingEnd={<Link to="/operate/jobs">All jobs</Link>}>
    <Figures
      label="Jobs by lane"
      rows={lanes}
      rowKey={({ lane }) => lane}
      columns={[
        { header: 'Lane', wide: true, cell: ({ lane }) => LANES[lane] ?? lane },
        { header: 'Waiting', cell: ({ waiting }) => formatCount(waiting) },
        { header: 'Running', cell: ({ running }) => running, visibleFrom: 'medium' },
        { header: 'Retrying', cell: ({ retrying }) => formatCount(retrying), visibleFrom: 'medium' },
        { header: 'Failed', cell: ({ dead }) => <Failed count={dead} /> },
        { header: 'Oldest', cell: ({ lagSeconds }) => formatLag(lagSeconds) },
      ]}
    />
  </Block>
)

export const Queues = ({ backlogs }: { backlogs: Health['backlogs'] }) => (
  <Block title="Queues">
    <Figures
      label="Queues"
      rows={backlogs}
      rowKey={({ queue }) => queue}
      columns={[
        { header: 'Queue', wide: true, cell: ({ queue }) => QUEUES[queue] },
        { header: 'Waiting', cell: ({ waiting }) => formatCount(waiting) },
        { header: 'Oldest', cell: ({ lagSeconds }) => formatLag(lagSeconds) },
      ]}
    />
  </Block>
)

export const Failures = ({ outcomes, minutes }: { outcomes: Health['outcomes']; minutes: number }) => (
  <Block title="Failures" note={`Last ${minutes} minutes, all processes`}>
    <Figures
      label="Failures"
      rows={outcomes}
      rowKey={({ name }) => name}
      columns={[
        { header: 'Type', wide: true, cell: ({ name }) => OUTCOMES[name] },
        { header: 'Total', cell: ({ total }) => total.toLocaleString('en') },
        { header: 'Failed', cell: ({ failed }) => <Failed count={failed} /> },
        {
          header: 'Failure rate',
          cell: ({ total, failed }) => (total === 0 ? '–' : formatShare(failed / total)),
        },
      ]}
    />
  </Block>
)

const Failed = ({ count }: { count: number }) => (
  <span className={count > 0 ? 'font-medium text-bad-text' : ''}>{formatCount(count)}</span>
)
