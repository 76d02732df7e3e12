import { Block } from '../../components/layout/block.tsx'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { Figures } from './figures.tsx'
import type { Health } from './health-query.ts'
import { formatBytes, formatShare } from './labels.ts'

type Process = Health['processes'][number]

export const Processes = ({ processes, minutes }: { processes: Process[]; minutes: number }) => (
  <Block title="Processes">
    {processes.length === 0 ? (
      <p className="py-12 text-13 text-neutral-11">No process has reported yet.</p>
    ) : (
      <Figures
        label="Processes"
        rows={processes}
        rowKey={({ id }) => id}
        columns={[
          {
            header: 'Process',
            wide: true,
            cell: ({ host, pid, isAlive }) => (
              <span className="flex min-w-0">
                <Status meaning={isAlive ? 'good' : 'bad'}>
                  {isAlive ? `${host} ${pid}` : `${host} ${pid}, stopped`}
                </Status>
              </span>
            ),
          },
          { header: 'Role', cell: ({ role }) => role },
          { header: 'Version', cell: ({ version }) => version, from: 'roomy' },
          { header: 'Memory', cell: ({ rssBytes }) => formatBytes(rssBytes) },
          { header: 'Busy', cell: ({ busy }) => formatShare(busy), from: 'roomy' },
          {
            header: `Requests in ${minutes} min`,
            cell: ({ requests }) => requests.toLocaleString('en'),
            from: 'roomy',
          },
          { header: 'Streams', cell: ({ openStreams }) => openStreams, from: 'roomy' },
          { header: 'Started', cell: ({ startedAt }) => <Time at={startedAt} />, from: 'roomy' },
          { header: 'Heartbeat', cell: ({ seenAt }) => <Time at={seenAt} /> },
        ]}
      />
    )}
  </Block>
)
