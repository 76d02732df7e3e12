import { Link } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../contract/text.ts'
import { formatDuration, formatSize } from '../../../components/amounts.ts'
import { Block } from '../../../components/layout/block.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { Figures } from './figures.tsx'
import { formatShare, type Health } from './health.ts'

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
            header: t`Process`,
            wide: true,
            cell: ({ host, pid, isAlive }) => (
              <span className="flex min-w-0 items-center gap-8">
                <span
                  aria-hidden
                  className={`size-8 shrink-0 rounded-round ${isAlive ? 'bg-good-text' : 'bg-bad-text'}`}
                />
                <span className="truncate" title={host}>
                  {host} {pid}
                </span>
                {!isAlive && <span className="shrink-0 text-bad-text">Stopped</span>}
              </span>
            ),
          },
          { header: t`Role`, cell: ({ role }) => role },
          { header: t`Version`, cell: ({ version }) => version, visibleFrom: 'medium' },
          { header: t`Memory`, cell: ({ rssBytes }) => formatSize(rssBytes) },
          { header: t`Busy`, cell: ({ busy }) => formatShare(busy), visibleFrom: 'medium' },
          {
            header: t`Requests in ${minutes} min`,
            cell: ({ requests }) => requests.toLocaleString(LOCALE),
            visibleFrom: 'medium',
          },
          { header: t`Streams`, cell: ({ openStreams }) => openStreams, visibleFrom: 'medium' },
          { header: t`Started`, cell: ({ startedAt }) => <Time at={startedAt} />, visibleFrom: 'medium' },
          { header: t`Heartbeat`, cell: ({ seenAt }) => <Time at={seenAt} /> },
        ]}
      />
    )}
  </Block>
)

interface OrganizationLoadProps {
  organizations: Health['organizations']
  minutes: number
}

export const OrganizationLoad = ({ organizations, minutes }: OrganizationLoadProps) => (
  <Block title="Load by organization" note={t`Requests in the last ${minutes} minutes`}>
    {organizations.length === 0 ? (
      <p className="py-12 text-13 text-neutral-11">No requests or pending work.</p>
    ) : (
      <Figures
        label="Load by organization"
        rows={organizations}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t`Organization`,
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
          { header: t`Requests`, cell: ({ requests }) => requests.toLocaleString(LOCALE) },
          {
            header: t`Request time`,
            cell: ({ seconds }) => formatDuration(seconds * 1000),
            visibleFrom: 'medium',
          },
          { header: t`Runs`, cell: ({ runs }) => runs },
          { header: t`Deliveries`, cell: ({ deliveries }) => deliveries, visibleFrom: 'medium' },
          { header: t`Jobs`, cell: ({ jobs }) => jobs },
        ]}
      />
    )}
  </Block>
)
